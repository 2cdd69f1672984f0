import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import type { Usage } from './side.ts'

/** A side in its own process. */
export class SideProcess implements Disposable {
  readonly #child: ChildProcess
  /** The value that the side passes to sides that talk to it. */
  readonly output: string

  private constructor(child: ChildProcess, output: string) {
    this.#child = child
    this.output = output
  }

  /** Starts a side of a module in `sides/`, and waits until it is ready. */
  static async start(module: string, side: string, input = ''): Promise<SideProcess> {
    const file = join(import.meta.dirname, 'sides', `${module}.ts`)
    const child = fork(join(import.meta.dirname, 'side-main.ts'), [file, side, input], {
      // Standard output takes log lines, which are part of what is measured.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    try {
      return new SideProcess(child, (await answerOf(child)) as string)
    } catch (error) {
      child.kill()
      throw error
    }
  }

  /** Does this many operations and returns what the process has used since it started. */
  async run(operations: number): Promise<Usage> {
    this.#child.send(operations)
    return (await answerOf(this.#child)) as Usage
  }

  [Symbol.dispose](): void {
    this.#child.disconnect()
  }
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`a side exited with code ${String(code)}`)
  })
  try {
    const [answer] = (await Promise.race([once(child, 'message', ended), exit])) as unknown[]
    return answer
  } finally {
    ended.abort()
    exit.catch(() => {})
  }
}
