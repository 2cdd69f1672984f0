import { parseArgs } from 'node:util'

import { concurrentFigures, sequentialFigures, stateFigure } from './deploy/figures.ts'
import { startDeployBench } from './deploy/system.ts'
import { prepareWork } from './deploy/work.ts'

// `./dev bench deploy` prints one JSON line per figure. Each is compared with the same objects,
// applied without Slipway in the same run.
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    concurrent: { type: 'string', default: '96' },
  },
})
const rounds = Number(values.rounds)
const concurrent = Number(values.concurrent)
const AT_ONCE = 16

const print = (figure: object): void => console.log(JSON.stringify(figure))
const say = (line: string): void => console.error(`  ${line}`)

await using bench = await startDeployBench()
say(`registering ${rounds + concurrent} agents`)
await using work = await prepareWork(bench, rounds + concurrent)
say('deploying one after another')
for await (const figure of sequentialFigures(bench, work, rounds)) print(figure)
say('reading states')
print(await stateFigure(bench))
say(`deploying ${AT_ONCE} concurrently`)
for await (const figure of concurrentFigures(bench, work, { atOnce: AT_ONCE, rounds: 2 }))
  print(figure)
say('cleaning up')
