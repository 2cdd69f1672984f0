import { parseArgs } from 'node:util'

import { measureEvents, measureFirstPage, measureLog, measureTraces } from './console/measures.ts'
import { setConsoleStage } from './console/stage.ts'

// `./dev bench console` measures the console in Chromium on the running stack, and prints a JSON
// line for each: when the first page is usable, the tasks of the page while 500 traces are scrolled
// and while a log of 1,000 lines a second is followed, and the heap over many events. Tasks have
// the time from their start to their end, and their processor time: on a machine that is busy with
// other programs, only the latter is that of the page.
const { values } = parseArgs({
  options: {
    traces: { type: 'string', default: '500' },
    'log-seconds': { type: 'string', default: '30' },
    changes: { type: 'string', default: '30' },
  },
})

await using stage = await setConsoleStage(Number(values.traces))
console.log(JSON.stringify({ first_page: await measureFirstPage(stage) }))
console.log(JSON.stringify({ traces: await measureTraces(stage) }))
console.log(JSON.stringify({ log: await measureLog(stage, Number(values['log-seconds'])) }))
console.log(JSON.stringify({ events: await measureEvents(stage, Number(values.changes)) }))
