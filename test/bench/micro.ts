import { parseArgs } from 'node:util'

import { figures } from './micro/figures.ts'

// `./dev bench micro`: one JSON line per figure. Each compares hand-written code with the library
// that would replace it; see docs/adr/0011-hand-written-hot-paths.md.
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    'round-ms': { type: 'string', default: '400' },
    only: { type: 'string', default: '' },
  },
})

const rounds = { rounds: Number(values.rounds), roundMs: Number(values['round-ms']) }
for (const [name, measure] of Object.entries(figures)) {
  if (!name.includes(values.only)) continue
  for await (const figure of measure(rounds)) console.log(JSON.stringify(figure))
}
