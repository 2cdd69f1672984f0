import { join } from 'node:path'
import { startDaemon, stopDaemon, waitUntil } from '../process/daemon.ts'
import { daemonStatuses } from '../process/daemon-status.ts'
import type { Part } from '../stack/part.ts'
import { stackSecret } from '../stack/secrets.ts'
import { SERVICE_NAMES } from '../stack/settings.ts'
import type { ServiceName } from '../stack/settings.ts'
import { ensureDirectory } from '../stack/stack.ts'
import type { Stack } from '../stack/stack.ts'

const DAEMON = 'identity-provider'
const PORT = 9200

/**
 * The development provider's address. It issues the tokens of services even if another provider
 * issues those of users.
 */
export const DEVELOPMENT_ISSUER = `http://127.0.0.1:${PORT}`

/** Returns the client secret with which a service requests its own tokens. */
export function serviceClientSecret(stack: Stack, service: ServiceName): string {
  return stackSecret(stack, `client-${service}`)
}

/** The identity provider for development; see ../identity-provider. */
export const identityProviderPart: Part = {
  name: DAEMON,
  needs: [],

  ports: () => [{ host: '127.0.0.1', port: PORT, daemon: DAEMON }],

  async up(stack) {
    const stateDir = join(stack.stateDir, 'identity-provider')
    ensureDirectory(stack, stateDir)
    const serviceSecrets = Object.fromEntries(
      SERVICE_NAMES.map((name) => [name, serviceClientSecret(stack, name)]),
    )
    await startDaemon(stack, {
      name: DAEMON,
      command: process.execPath,
      args: [join(stack.checkout, 'deploy/local/identity-provider/main.ts')],
      env: {
        ISSUER: DEVELOPMENT_ISSUER,
        KEYS_FILE: join(stateDir, 'keys.json'),
        SERVICE_SECRETS: JSON.stringify(serviceSecrets),
      },
      ...stack.owner,
    })
    await waitUntil('the identity provider responds', isAnswering, {
      timeoutMs: 30_000,
      daemon: DAEMON,
      stack,
    })
    return { SLIPWAY_ISSUER: stack.settings.external.SLIPWAY_ISSUER ?? DEVELOPMENT_ISSUER }
  },

  down: (stack) => stopDaemon(stack, DAEMON),

  status: async (stack) => daemonStatuses(stack, [DAEMON]),
}

async function isAnswering(): Promise<boolean> {
  try {
    const response = await fetch(`${DEVELOPMENT_ISSUER}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(2000),
    })
    return response.ok
  } catch {
    return false
  }
}
