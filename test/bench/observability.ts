import { run } from '../../services/observability/test/bench/bench.ts'

await run((line) => console.log(line))
