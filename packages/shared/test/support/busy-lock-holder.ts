import { parentPort, workerData } from 'node:worker_threads'

import { createDatabase, withAdvisoryLock } from '../../src/db/index.ts'

// A thread that holds a lock while its event loop is busy for longer than a query may take.
const BUSY_MS = 8_000

const db = createDatabase({ url: String(workerData), applicationName: 'busy' })
const outcome = await withAdvisoryLock(db, 'busy', {}, async (signal) => {
  const other = withAdvisoryLock(db, 'another', {}, async () => 'done')
  // By then the query for the other lock is sent, but its response isn't read.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)
  return { other: await other.catch(String), isLost: signal.aborted }
})
await db.destroy()
parentPort?.postMessage(outcome)
