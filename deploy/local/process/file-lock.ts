import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs a function while holding an advisory lock on a file, which is created if missing. `onWait`
 * is called if another process holds the lock. A killed process leaves no stale lock: the kernel
 * releases it.
 */
export async function withFileLock<T>(
  file: string,
  onWait: () => void,
  run: () => Promise<T>,
): Promise<T> {
  // flock holds the lock while its command runs; `cat` runs until this process closes its input or
  // ends.
  const holder = spawn('flock', [file, 'sh', '-c', 'echo locked; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(holder, 'close')
  const waiting = setTimeout(onWait, 200)
  try {
    await Promise.race([
      once(holder.stdout, 'data'),
      ended.then(([code]) =>
        Promise.reject(new Error(`flock ${file} exited with code ${String(code)}`)),
      ),
    ])
    clearTimeout(waiting)
    return await run()
  } finally {
    clearTimeout(waiting)
    holder.stdin.end()
    await ended
  }
}
