import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

import { build } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const LICENSES_FILE = 'licenses.json'
/** Smaller files are sent as they are. */
const MIN_COMPRESSED_BYTES = 1024

/** Builds the console into a folder. Each larger file is also there as `.br` and as `.gz`. */
export async function buildConsole(folder: string): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      // The policy of the pages allows no data URLs.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 600,
      // The bundled packages with the texts of their licenses, which must be in every copy.
      license: { fileName: LICENSES_FILE },
      rolldownOptions: {
        // Libraries mark code for servers that render React; there is none.
        onLog: (level, log, report) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
        },
      },
    },
  })
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(html|js|css|svg)$/.test(name)) continue
    const content = readFileSync(join(folder, name))
    if (content.length < MIN_COMPRESSED_BYTES) continue
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params: quality }))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
  }
}
