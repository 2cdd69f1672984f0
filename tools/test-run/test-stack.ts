import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say, step } from '@slipway/local/progress'
import { readEnvFile } from '@slipway/local/stack/env-file'
import { stackDirectories } from '@slipway/local/stack/stack'
import type { StackDirectories } from '@slipway/local/stack/stack'
import { testEnvironment } from './environment.ts'
import { runToTheEnd } from './interruptible.ts'
import type { InterruptibleRunner } from './interruptible.ts'
import { makeNetworkNamespace } from '@slipway/local/process/network-namespace'
import type { NetworkNamespace } from '@slipway/local/process/network-namespace'
import { runDirectory } from './run-directory.ts'

/** A whole stack for one test run, with its own network namespace and state directory. */
export class TestStack {
  /** For the run's files; deleted with the stack. */
  readonly directory: string
  readonly #checkout: string
  readonly #namespace: NetworkNamespace
  readonly #env: NodeJS.ProcessEnv

  private constructor(directories: StackDirectories, namespace: NetworkNamespace) {
    this.directory = runDirectory(directories)
    this.#checkout = directories.checkout
    this.#namespace = namespace
    // The run directory and the cgroup are named after the state directory.
    const stateDir = join(this.directory, 'state')
    this.#env = { ...testEnvironment(directories), SLIPWAY_STATE_DIR: stateDir }
  }

  /** Creates the directory and the network namespace, in which nothing runs yet. */
  static async prepare(directories: StackDirectories): Promise<TestStack> {
    return new TestStack(directories, await makeNetworkNamespace())
  }

  /** Starts the stack; returns whether everything came up. */
  async up(runner: InterruptibleRunner): Promise<boolean> {
    const pods = join(import.meta.dirname, 'pods.yaml')
    for (const command of [this.#dev('up'), this.#dev('kubectl', 'apply', '-f', pods)]) {
      const code = await runner.run(command, { env: this.#env, cwd: this.#checkout })
      if (code !== 0) return false
    }
    return true
  }

  /**
   * Runs a command in the stack's network; its environment has the stack's addresses, and `env`.
   * Returns the exit code.
   */
  async run(
    runner: InterruptibleRunner,
    command: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<number> {
    const { stateDir, runDir } = stackDirectories(this.#env)
    const stackEnv = Object.fromEntries(readEnvFile({ stateDir }))
    return await runner.run(this.#namespace.enter(command), {
      env: { ...this.#env, ...stackEnv, SLIPWAY_LOG_DIR: runDir, ...env },
      cwd: this.#checkout,
    })
  }

  /** Takes the stack down and deletes all of it. An interruption doesn't stop this. */
  async down(): Promise<void> {
    await step('take the tests’ stack down', async () => {
      await runToTheEnd(this.#dev('down', '--purge'), this.#env)
      await this.#namespace.close()
      rmSync(this.directory, { recursive: true, force: true })
    })
  }

  /** Copies the logs of the stack's processes to a directory that `down` doesn't delete. */
  keepLogs(): void {
    const { runDir } = stackDirectories(this.#env)
    if (!existsSync(runDir)) return
    const kept = mkdtempSync(join(tmpdir(), 'slipway-test-logs-'))
    for (const name of readdirSync(runDir).filter((file) => file.endsWith('.log')))
      copyFileSync(join(runDir, name), join(kept, name))
    say(`the logs of the stack's processes are in ${kept}`)
  }

  #dev(...args: readonly string[]): string[] {
    const main = join(this.#checkout, 'tools/main.ts')
    return this.#namespace.enter([process.execPath, main, ...args])
  }
}
