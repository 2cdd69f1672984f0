import type { FieldProblem } from '../environment/collisions.ts'
import { DURATION_PROBLEM, parseDurationMs } from '../grammar/duration.ts'
import { imageProblem } from '../grammar/image.ts'
import { isObject, own, sortedEntries, type JsonObject } from '../json.ts'
import { isEnvName } from '../names/environment-name.ts'
import { objectOf } from '../read/values.ts'
import { joinField } from '../shape/check-shape.ts'
import type { AgentSpec } from '../spec-types.ts'

/**
 * Reports problems with containers that a shape can't express: durations out of bounds, images,
 * names of variables, webhooks without a port.
 */
export function valueWarnings(spec: AgentSpec, document: JsonObject): FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const [field, container] of containers(document))
    problems.push(...ofContainer(field, container))
  for (const [name, { trigger, container }] of sortedEntries(spec.ingestion)) {
    if (trigger === 'webhook' && container && container.port === undefined) {
      problems.push({
        field: `ingestion.${name}.container.port`,
        message: 'a webhook needs a port',
      })
    }
  }
  return problems
}

function containers(document: JsonObject): [string, JsonObject][] {
  const sections = ['models', 'knowledge', 'tools', 'ingestion']
  const inSections = sections.flatMap((section) =>
    sortedEntries(objectOf(document, section)).flatMap(([name, entry]): [string, JsonObject][] => {
      const container = isObject(entry) ? own(entry, 'container') : undefined
      return isObject(container) ? [[`${joinField(section, name)}.container`, container]] : []
    }),
  )
  return [['agent', objectOf(document, 'agent')], ...inSections]
}

function ofContainer(field: string, container: JsonObject): FieldProblem[] {
  const problems: FieldProblem[] = []
  const image = own(container, 'image')
  const wrongImage = typeof image === 'string' && image !== '' ? imageProblem(image) : undefined
  if (wrongImage !== undefined) problems.push({ field: `${field}.image`, message: wrongImage })
  const healthcheck = objectOf(container, 'healthcheck')
  for (const key of ['interval', 'timeout']) {
    const duration = own(healthcheck, key)
    if (
      typeof duration === 'string' &&
      duration !== '' &&
      parseDurationMs(duration) === undefined
    ) {
      problems.push({
        field: `${field}.healthcheck.${key}`,
        message: DURATION_PROBLEM,
      })
    }
  }
  if (own(healthcheck, 'path') !== undefined && own(healthcheck, 'test') !== undefined) {
    problems.push({
      field: `${field}.healthcheck`,
      message: 'has both path and test: test is ignored',
    })
  }
  for (const name of Object.keys(objectOf(container, 'environment'))) {
    if (isEnvName(name)) continue
    const message = 'not a valid name for an environment variable'
    problems.push({ field: joinField(`${field}.environment`, name), message })
  }
  return problems
}
