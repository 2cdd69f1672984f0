import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Person, TestDeployer } from './deployer.ts'

/** Files with limits of accounts, which are deleted at the end. */
export class LimitFiles implements AsyncDisposable {
  readonly #directory = mkdtemp(join(tmpdir(), 'slipway-limits-'))
  #written = 0

  /** Writes the default limits of all accounts to a file. Returns the setting that names it. */
  async write(
    defaults: Readonly<Record<string, number | string>>,
  ): Promise<Record<string, string>> {
    this.#written += 1
    const path = join(await this.#directory, `limits-${this.#written}`)
    await writeFile(path, JSON.stringify({ defaults }))
    return { ACCOUNT_LIMITS_FILE: path }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(await this.#directory, { recursive: true, force: true })
  }
}

/** Returns how much of its limits an account uses, by limit. */
export async function usageOf(
  { deployments }: Pick<TestDeployer, 'deployments'>,
  { account, options }: Person,
): Promise<Record<string, number>> {
  const { uses } = await deployments.getAccountUsage({ account }, options)
  return Object.fromEntries(uses.map(({ limit, used }) => [limit, Number(used)]))
}
