import { loadKeys } from './keys.ts'
import { createProvider } from './provider.ts'
import { serveProvider } from './server.ts'

// parts/identity-provider.ts sets IDENTITY_PROVIDER. It is an environment variable and not an
// argument because it has secrets.
const { issuer, stateDir, serviceSecrets } = JSON.parse(
  process.env['IDENTITY_PROVIDER'] ?? '{}',
) as {
  issuer: string
  stateDir: string
  serviceSecrets: Record<string, string>
}
const { hostname, port } = new URL(issuer)
const provider = createProvider({ issuer, keys: loadKeys(stateDir), serviceSecrets })
provider.on('server_error', (_context, error) => console.error(error))
const server = await serveProvider(provider, hostname, Number(port))
console.log(`serving ${issuer}`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.close()
    server.closeAllConnections()
  })
}
