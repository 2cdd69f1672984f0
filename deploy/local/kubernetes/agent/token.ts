import { chownSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { deployerAccount } from '../addons.ts'
import { runCommand } from '../../process/run-command.ts'

/** How to fetch the deployer's token, and where to write it. */
export interface TokenOptions {
  readonly kubectl: string
  readonly kubeconfig: string
  readonly tokenFile: string
  /** User and group id of the file's owner; undefined for this process's. */
  readonly owner: readonly number[] | undefined
}

const LIFETIME_MS = 60 * 60 * 1000
const RENEW_AFTER_MS = LIFETIME_MS / 3
// Timers stop while the machine sleeps, so the clock is checked often.
const CHECK_EVERY_MS = 10_000

/**
 * Fetches a token for the deployer's ServiceAccount, and a new one long before it expires, until
 * the signal aborts.
 */
export async function keepTokenFresh(options: TokenOptions, signal: AbortSignal): Promise<void> {
  let renewAt = 0
  while (!signal.aborted) {
    let pauseMs = CHECK_EVERY_MS
    if (Date.now() >= renewAt) {
      try {
        await renewToken(options)
        renewAt = Date.now() + RENEW_AFTER_MS
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        console.error(`can't renew the deployer's token: ${reason}`)
        pauseMs = 1000
      }
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

async function renewToken({ kubectl, kubeconfig, tokenFile, owner }: TokenOptions): Promise<void> {
  const { namespace, name } = deployerAccount
  const account = ['--namespace', namespace, name, `--duration=${LIFETIME_MS / 1000}s`]
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
