import { chownSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { deployerAccount } from '../addons.ts'
import { runCommand } from '../../process/run-command.ts'

/** Where the deployer's token comes from and goes to. */
export interface TokenOptions {
  readonly kubectl: string
  readonly kubeconfig: string
  readonly tokenFile: string
  /** User and group that the file belongs to, when not to this process's. */
  readonly owner: readonly number[] | undefined
}

const lifetimeMs = 60 * 60 * 1000
const renewAfterMs = lifetimeMs / 3
// The machine may sleep for hours, and timers with it: the clock is looked at again and again.
const checkEveryMs = 10_000

/**
 * Fetches a token for the deployer's ServiceAccount at once, and a new one long before it expires,
 * until told to stop.
 */
export async function keepTokenFresh(options: TokenOptions, signal: AbortSignal): Promise<void> {
  let renewAt = 0
  while (!signal.aborted) {
    let pauseMs = checkEveryMs
    if (Date.now() >= renewAt) {
      try {
        await renewToken(options)
        renewAt = Date.now() + renewAfterMs
      } catch (error) {
        console.error(
          `no new token for the deployer: ${error instanceof Error ? error.message : String(error)}`,
        )
        pauseMs = 1000
      }
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

async function renewToken({ kubectl, kubeconfig, tokenFile, owner }: TokenOptions): Promise<void> {
  const { namespace, name } = deployerAccount
  const account = ['--namespace', namespace, name, `--duration=${lifetimeMs / 1000}s`]
  const token = await runCommand(kubectl, [
    '--kubeconfig',
    kubeconfig,
    'create',
    'token',
    ...account,
  ])
  const temporary = `${tokenFile}.new`
  writeFileSync(temporary, token.trim(), { mode: 0o600 })
  if (owner) chownSync(temporary, owner[0] ?? 0, owner[1] ?? 0)
  renameSync(temporary, tokenFile)
}
