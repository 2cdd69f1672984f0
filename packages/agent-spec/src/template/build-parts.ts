import type { Variable } from '../environment/variables.ts'
import { compareCodePoints, sortedRecord } from '../json.ts'
import type { Check, Healthcheck } from '../spec-types.ts'
import type { TemplateSettings } from './settings.ts'
import type { TemplateCheck, TemplateHealthcheck, TemplateUpdate } from './template-types.ts'

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
  if (!hasPort && !check) return undefined
  const { interval, timeout, retries, ...way } = templateCheck(check)
  return {
    ...way,
    initial_delay: settings.defaults.initialDelay,
    interval,
    timeout,
    retries,
    ...(check?.liveness && { liveness: templateCheck(check.liveness) }),
  }
}

function templateCheck(check: Check | undefined): TemplateCheck {
  const { interval = '10s', timeout = '5s', retries = 3 } = check ?? {}
  const timing = { interval, timeout, retries }
  if (check?.path !== undefined) return { path: check.path, ...timing }
  return check?.command === undefined
    ? { tcp: true, ...timing }
    : { command: [...check.command], ...timing }
}

/** Returns the default rolling update: a quarter of the pods at a time. */
export function rolling(): TemplateUpdate {
  return { strategy: 'rolling', max_unavailable: '25%', max_surge: '25%' }
}
