import type { ChildProcess } from 'node:child_process'

/** How long programs may take to end before they are killed. */
const GRACE_MS = 5_000
const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const isGrouped = process.platform !== 'win32'

/** The options of `spawn` that give a program its own process group, with all that it starts. */
export const GROUPED = { detached: isGrouped }

/**
 * Ends a program that was started with `GROUPED`, and all that it has started: if the signal is
 * aborted, or if this process ends, because the terminal's signals don't reach the group. Disposal
 * forgets it.
 */
export function groupEnd(child: ChildProcess, signal: AbortSignal | undefined): Disposable {
  let timer: NodeJS.Timeout | undefined
  const kill = (name: NodeJS.Signals): void => {
    if (child.pid === undefined) return
    try {
      if (isGrouped) process.kill(-child.pid, name)
      else child.kill(name)
    } catch {
      // All of them have ended.
    }
  }
  const onAbort = (): void => {
    kill('SIGTERM')
    timer = setTimeout(() => kill('SIGKILL'), GRACE_MS)
  }
  const onExit = (): void => kill('SIGTERM')
  const onEnd = (name: NodeJS.Signals): void => {
    kill(name)
    process.removeListener(name, onEnd)
    // Without listeners, the signal ends this process, as it would have.
    if (process.listenerCount(name) === 0) process.kill(process.pid, name)
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  process.once('exit', onExit)
  for (const name of ENDS) process.on(name, onEnd)
  return {
    [Symbol.dispose]() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      process.removeListener('exit', onExit)
      for (const name of ENDS) process.removeListener(name, onEnd)
    },
  }
}
