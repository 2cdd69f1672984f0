import type { FieldProblem } from '../environment/collisions.ts'
import { DURATION_PROBLEM, parseDurationMs } from '../grammar/duration.ts'
import { imageProblem } from '../grammar/image.ts'
import { isObject, own, sortedEntries, type JsonObject } from '../json.ts'
import { isEnvName } from '../names/environment-name.ts'
import { objectOf } from '../read/values.ts'
import { joinField } from '../shape/check-shape.ts'
import type { AgentSpec } from '../spec-types.ts'
import { RESERVED } from './input-warnings.ts'

/** The problem with a container that has only instructions to build its image. */
export const BUILD_PROBLEM =
  'has only `build`: build the image, push it, and register the spec with its `image`'

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
  // The agent's own image is named after the build.
  if (field !== 'agent' && image === undefined && isObject(own(container, 'build')))
    problems.push({ field: `${field}.image`, message: BUILD_PROBLEM })
  const wrongImage = typeof image === 'string' && image !== '' ? imageProblem(image) : undefined
  if (wrongImage !== undefined) problems.push({ field: `${field}.image`, message: wrongImage })
  const healthcheck = objectOf(container, 'healthcheck')
  problems.push(
    ...ofCheck(`${field}.healthcheck`, healthcheck),
    ...ofCheck(`${field}.healthcheck.liveness`, objectOf(healthcheck, 'liveness')),
  )
  for (const name of Object.keys(objectOf(container, 'environment'))) {
    const variable = joinField(`${field}.environment`, name)
    if (!isEnvName(name))
      problems.push({ field: variable, message: 'not a valid name for an environment variable' })
    else if (field === 'agent' && RESERVED.test(name))
      problems.push({ field: variable, message: 'this variable is set by the platform' })
  }
  return problems
}

function ofCheck(field: string, check: JsonObject): FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const key of ['interval', 'timeout']) {
    const duration = own(check, key)
    if (typeof duration === 'string' && duration !== '' && parseDurationMs(duration) === undefined)
      problems.push({ field: `${field}.${key}`, message: DURATION_PROBLEM })
  }
  if (own(check, 'path') !== undefined && own(check, 'test') !== undefined)
    problems.push({ field, message: 'has both path and test: test is ignored' })
  return problems
}
