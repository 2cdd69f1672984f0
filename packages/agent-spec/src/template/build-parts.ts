import type { Variable } from '../environment/variables.ts'
import { compareCodePoints, sortedRecord } from '../json.ts'
import type { Healthcheck } from '../spec-types.ts'
import type { TemplateSettings } from './settings.ts'
import type { TemplateHealthcheck, TemplateUpdate } from './template-types.ts'

/**
 * Converts variables to the form used in a template: sorted, and only the first one of each name.
 */
export function environmentOf(variables: readonly Variable[]): {
  environment?: Record<string, string>
  inputs?: string[]
} {
  if (variables.length === 0) return {}
  const byName = new Map<string, Variable>()
  for (const variable of variables) {
    if (!byName.has(variable.name)) byName.set(variable.name, variable)
  }
  const chosen = [...byName.values()]
  const inputs = chosen
    .flatMap(({ name, settable }) => (settable === true ? [name] : []))
    .sort(compareCodePoints)
  return {
    environment: sortedRecord(chosen.map(({ name, value }) => [name, value])),
    ...(inputs.length > 0 ? { inputs } : {}),
  }
}

/**
 * Returns the spec's own healthcheck; otherwise a TCP check if the spec sets a port; otherwise
 * none.
 */
export function healthcheckOf(
  check: Healthcheck | undefined,
  hasPort: boolean,
  settings: TemplateSettings,
): TemplateHealthcheck | undefined {
  const timing = {
    initial_delay: settings.defaults.initialDelay,
    interval: check?.interval ?? '10s',
    timeout: check?.timeout ?? '5s',
    retries: check?.retries ?? 3,
  }
  if (check?.path !== undefined) return { path: check.path, ...timing }
  if (check?.command !== undefined) return { command: [...check.command], ...timing }
  return hasPort || check ? { tcp: true, ...timing } : undefined
}

/** Returns the default rolling update: a quarter of the pods at a time. */
export function rolling(): TemplateUpdate {
  return { strategy: 'rolling', max_unavailable: '25%', max_surge: '25%' }
}
