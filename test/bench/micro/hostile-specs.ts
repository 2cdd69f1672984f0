import {
  buildTemplate,
  defaultTemplateSettings,
  parseSpec,
  SpecSyntaxError,
  specWarnings,
  TemplateTooLargeError,
  templateToYaml,
} from '@slipway/agent-spec'

import { growingSpec, hostileSpecs, largeSpec, oddSpecs } from '../../support/hostile-specs.ts'
import { median, rounded } from '../support/compare.ts'
import type { Rounds } from './compare-sides.ts'

const GOAL_MS = 10
/** How often each spec is read first: a service has compiled this code long ago. */
const WARM_UP_ROUNDS = 30
const SOURCE = { account: 'acme', name: 'bot', build: 'b1', registry: 'oci://registry.example' }

/**
 * Measures the processor time of registering a hostile spec file and writing its template, without
 * the database. Yields the most expensive ones.
 */
export async function* hostileSpecCosts({ rounds }: Rounds): AsyncGenerator<object> {
  // As services do.
  process.env = { ...process.env }
  const specs = { ...hostileSpecs(), ...oddSpecs(), growing: growingSpec(), large: largeSpec() }
  const costs = Object.entries(specs).map(([spec, text]) => {
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) register(text)
    const times = Array.from({ length: rounds }, () => cpuMsOf(() => register(text)))
    return { spec, cpuMs: median(times) }
  })
  const worst = costs.toSorted((left, right) => right.cpuMs - left.cpuMs).slice(0, 5)
  for (const { spec, cpuMs } of worst) {
    yield {
      figure: 'hostile spec',
      spec,
      cpu_ms: rounded(cpuMs, 1),
      goal_cpu_ms: GOAL_MS,
      met: cpuMs <= GOAL_MS,
    }
  }
}

function register(text: string): void {
  try {
    const parsed = parseSpec(text)
    const settings = defaultTemplateSettings()
    const template = buildTemplate({ spec: parsed.spec, source: SOURCE, settings })
    specWarnings(parsed, { agentName: SOURCE.name })
    templateToYaml(template)
  } catch (error) {
    if (!(error instanceof SpecSyntaxError || error instanceof TemplateTooLargeError)) throw error
  }
}

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
