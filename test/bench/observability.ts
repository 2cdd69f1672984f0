import { parseArgs } from 'node:util'

import { run } from './observability/bench.ts'

// `./dev bench observability` prints one JSON line per figure. Queries are compared with the same
// SQL on the engine in the same run.
const { values } = parseArgs({
  options: {
    'ingest-seconds': { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    traces: { type: 'string', default: '2000000' },
  },
})

const options = {
  ingestSeconds: Number(values['ingest-seconds']),
  only: values.only,
  traces: Number(values.traces),
}
for await (const figure of run(options)) console.log(JSON.stringify(figure))
