import { parseArgs } from 'node:util'

import { measurePages } from './catalog/pages.ts'
import { cachedFigures, uncachedFigures } from './catalog/figures.ts'
import { measureHostile } from './catalog/hostile.ts'
import { startBenchSystem } from './catalog/system.ts'

// `./dev bench catalog` prints one JSON line per figure. Each is compared with a bare system in the
// same run.
const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    'round-ms': { type: 'string', default: '3000' },
    'log-level': { type: 'string', default: 'info' },
    only: { type: 'string', default: '' },
    profile: { type: 'string' },
  },
})

const print = (figure: object): void => console.log(JSON.stringify(figure))
const say = (line: string): void => console.error(`  ${line}`)

const agents = Number(values.agents)
const { only, profile } = values
const options = { rounds: Number(values.rounds), roundMs: Number(values['round-ms']), agents, only }
const setUp = { agents, fewAgents: 200, logLevel: values['log-level'], profile }
await using system = await startBenchSystem(setUp, say)
const memory = () =>
  Object.fromEntries(
    Object.entries(system.processes).map(([name, process]) => [name, process.memoryMib()]),
  )
print({ figure: 'memory at the start', mib: memory() })
for await (const figure of cachedFigures(system, options)) print(figure)
for await (const figure of uncachedFigures(system, options)) print(figure)
print(await measurePages(system, agents))
print(await measureHostile(system))
print({ figure: 'memory at the end', mib: memory() })
