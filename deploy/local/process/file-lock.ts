import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs something while holding an advisory lock on a file (made if missing). The kernel drops the
 * lock with the process that holds it, so nothing stale can be left by a run that was killed.
 */
export async function withFileLock<T>(
  file: string,
  onWait: () => void,
  run: () => Promise<T>,
): Promise<T> {
  // flock holds the lock for as long as its command runs, and `cat` runs until we close its input
  // or die.
  const holder = spawn('flock', [file, 'sh', '-c', 'echo locked; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(holder, 'close')
  const waiting = setTimeout(onWait, 200)
  try {
    await Promise.race([
      once(holder.stdout, 'data'),
      ended.then(([code]) => Promise.reject(new Error(`flock ${file} ended with ${String(code)}`))),
    ])
    clearTimeout(waiting)
    return await run()
  } finally {
    clearTimeout(waiting)
    holder.stdin.end()
    await ended
  }
}
