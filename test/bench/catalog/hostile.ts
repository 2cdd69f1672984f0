import { growingSpec, hostileSpecs, oddSpecs } from '../../support/hostile-specs.ts'
import { rounded } from '../support/compare.ts'
import { subjectOf } from './population.ts'
import type { BenchSystem } from './system.ts'

const ROUNDS = 10
/** The CPU time that the worst spec may take. */
const GOAL_MS = 15

/** Measures the catalog with hostile spec files: the CPU time of the worst one, and memory. */
export async function measureHostile(system: BenchSystem): Promise<object> {
  const { catalog } = system.processes
  const { account } = subjectOf(0)
  const before = catalog.memoryMib()
  let worst = { spec: '', cpuMs: 0 }
  for (const [spec, text] of Object.entries({
    ...hostileSpecs(),
    ...oddSpecs(),
    'growing spec': growingSpec(),
  })) {
    const started = catalog.cpuMs()
    for (let round = 0; round < ROUNDS; round += 1) {
      const response = await fetch(
        `${system.gatewayUrl}/api/v1/agents/${account}/hostile/register`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${system.ownerTokens[0]}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({
            build_id: 'b',
            registry: 'oci://registry.example',
            spec_content: text,
          }),
        },
      )
      await response.body?.cancel()
      if (response.status >= 500) throw new Error(`the response to ${spec} was ${response.status}`)
    }
    const cpuMs = (catalog.cpuMs() - started) / ROUNDS
    if (cpuMs > worst.cpuMs) worst = { spec, cpuMs }
  }
  return {
    figure: 'the worst hostile spec',
    spec: worst.spec,
    cpu_ms: rounded(worst.cpuMs, 1),
    goal_cpu_ms: GOAL_MS,
    met: worst.cpuMs < GOAL_MS,
    catalog_mib: { before, after: catalog.memoryMib() },
  }
}
