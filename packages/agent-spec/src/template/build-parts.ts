import type { Variable } from '../environment/variables.ts'
import { compareCodePoints, sortedRecord } from '../json.ts'
import type { Healthcheck } from '../spec-types.ts'
import type { TemplateSettings } from './settings.ts'
import type { TemplateHealthcheck, TemplateUpdate } from './template-types.ts'

/**
 * The variables as the template shows them: sorted, the first of each name; nothing when there are
 * none.
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

/** The file's own check, else whether the port accepts where the file states one, else none. */
export function healthcheckOf(
  check: Healthcheck | undefined,
  statesPort: boolean,
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
  return statesPort || check ? { tcp: true, ...timing } : undefined
}

/** Replaces pods a quarter at a time. */
export function rolling(): TemplateUpdate {
  return { strategy: 'rolling', max_unavailable: '25%', max_surge: '25%' }
}
