import { loadKeys } from './keys.ts'
import { createProvider } from './provider.ts'
import { serveProvider } from './server.ts'
import { readSettings, type ProviderSettings } from './settings.ts'

const settings = settingsOrExit()
const { issuer, listen, users } = settings
const provider = createProvider({ ...settings, keys: loadKeys(settings.keysFile) })
provider.on('server_error', (_context, error) => console.error(error))
const server = await serveProvider(provider, users, listen)
console.log(`serving ${issuer} at ${listen.host}:${listen.port}`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.close()
    server.closeAllConnections()
  })
}

function settingsOrExit(): ProviderSettings {
  try {
    return readSettings(process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}
