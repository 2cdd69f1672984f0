import { glob, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** A text file that was written by hand. */
export interface AuthoredFile {
  /** Its path below the checkout. */
  readonly path: string
  readonly lines: readonly string[]
}

const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  '.slipway',
  'corpus',
  'dist',
  'gen',
  'golden',
  'node_modules',
])
const SKIPPED_FILES = /(^|\/)(LICENSE|pnpm-lock\.yaml|go\.mod|go\.sum|\.env|[^/]+\.log)$/
const LEFT_BY_RELEASES = /^test\/releases\/\d/
/** Recordings, and lists of all packages that a program needs with their versions. */
const RECORDED = /^test\/recordings\/([^/]+\/[^/]+\.json|make\/senders\/.*\/requirements\.txt)$/
const GENERATED_OR_VENDORED = [
  'docs/reference/cli-results.json',
  'packages/agent-spec/schema/',
  'proto/google/',
  'proto/grpc/',
  'proto/opentelemetry/',
]

/**
 * Reads every text file of a checkout except generated and vendored files, test corpora and golden
 * files. Works without git, so that an unpacked archive can be checked too.
 */
export async function* authoredFiles(checkout: string): AsyncGenerator<AuthoredFile> {
  const entries = glob('**', {
    cwd: checkout,
    withFileTypes: true,
    exclude: (entry) => SKIPPED_FOLDERS.has(entry.name),
  })
  const paths: string[] = []
  for await (const entry of entries) {
    if (entry.isFile()) paths.push(relative(checkout, join(entry.parentPath, entry.name)))
  }
  for (const path of paths.filter(isAuthored).toSorted()) {
    const text = await readFile(join(checkout, path), 'utf8')
    if (!text.includes('\0')) yield { path, lines: text.replace(/\n$/, '').split('\n') }
  }
}

function isAuthored(path: string): boolean {
  return (
    !SKIPPED_FILES.test(path) &&
    !LEFT_BY_RELEASES.test(path) &&
    !RECORDED.test(path) &&
    !GENERATED_OR_VENDORED.some((folder) => path.startsWith(folder))
  )
}
