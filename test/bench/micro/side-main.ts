import { GCProfiler } from 'node:v8'

import type { StartSide, Usage } from './side.ts'

// Runs one side: `node side-main.ts MODULE SIDE INPUT`. Its parent sends the number of operations
// to do, possibly 0, and gets the process's usage when they are done.
const [, , file = '', name = '', input = ''] = process.argv
const { sides } = (await import(file)) as { sides: Readonly<Record<string, StartSide>> }
const side = await sides[name]?.(input)
if (side === undefined) throw new Error(`${file} has no side ${name}`)

let profiler = new GCProfiler()
profiler.start()
let collectedBytes = 0

function usage(): Usage {
  for (const { beforeGC, afterGC } of profiler.stop().statistics)
    collectedBytes += beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize
  profiler = new GCProfiler()
  profiler.start()
  const { user, system } = process.cpuUsage()
  return { cpuUs: user + system, heapBytes: collectedBytes + process.memoryUsage().heapUsed }
}

async function answer(operations: number): Promise<void> {
  if (operations > 0) await side?.run?.(operations)
  process.send?.(usage())
}

process.on('disconnect', () => process.exit())
process.on('message', (operations: number) => void answer(operations))
process.send?.(side.output ?? '')
