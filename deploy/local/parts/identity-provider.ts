import { join } from 'node:path'
import { startDaemon, stopDaemon, waitUntil } from '../process/daemon.ts'
import { daemonStatuses } from '../process/daemon-status.ts'
import type { Part } from '../stack/part.ts'
import { stackSecret } from '../stack/secrets.ts'
import { serviceNames } from '../stack/settings.ts'
import type { ServiceName } from '../stack/settings.ts'
import { ensureDirectory } from '../stack/stack.ts'
import type { Stack } from '../stack/stack.ts'

const daemon = 'identity-provider'
const port = 9200

/**
 * The development provider's address. It issues the services' tokens even if people's tokens come
 * from another provider.
 */
export const developmentIssuer = `http://127.0.0.1:${port}`

/** Returns the client secret with which a service requests its own tokens. */
export function serviceClientSecret(stack: Stack, service: ServiceName): string {
  return stackSecret(stack, `client-${service}`)
}

/** The identity provider for development; see ../identity-provider. */
export const identityProviderPart: Part = {
  name: daemon,
  needs: [],

  ports: () => [{ host: '127.0.0.1', port, daemon }],

  async up(stack) {
    const stateDir = join(stack.stateDir, 'identity-provider')
    ensureDirectory(stack, stateDir)
    const serviceSecrets = Object.fromEntries(
      serviceNames.map((name) => [name, serviceClientSecret(stack, name)]),
    )
    await startDaemon(stack, {
      name: daemon,
      command: process.execPath,
      args: [join(stack.checkout, 'deploy/local/identity-provider/main.ts')],
      env: {
        IDENTITY_PROVIDER: JSON.stringify({ issuer: developmentIssuer, stateDir, serviceSecrets }),
      },
      ...stack.owner,
    })
    await waitUntil('the identity provider answers', isAnswering, {
      timeoutMs: 30_000,
      daemon,
      stack,
    })
    return { SLIPWAY_ISSUER: stack.settings.external.SLIPWAY_ISSUER ?? developmentIssuer }
  },

  down: (stack) => stopDaemon(stack, daemon),

  status: async (stack) => daemonStatuses(stack, [daemon]),
}

async function isAnswering(): Promise<boolean> {
  try {
    const response = await fetch(`${developmentIssuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(2000),
    })
    return response.ok
  } catch {
    return false
  }
}
