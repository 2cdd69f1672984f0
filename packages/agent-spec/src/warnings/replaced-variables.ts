import type { FieldProblem } from '../environment/collisions.ts'
import { componentVariables, ingestionVariables } from '../environment/environments.ts'
import { collide } from '../environment/variables.ts'
import { joinField } from '../shape/check-shape.ts'
import { COMPONENT_SECTIONS, type AgentSpec } from '../spec-types.ts'

/**
 * Reports variables of a container's `environment` that an input of its entry replaces. A deploy
 * accepts them, because earlier releases did.
 */
export function replacedVariables(spec: AgentSpec): FieldProblem[] {
  const sections = [...COMPONENT_SECTIONS, 'ingestion'] as const
  return sections.flatMap((section) =>
    Object.keys(spec[section]).flatMap((entry) => {
      const variables =
        section === 'ingestion'
          ? ingestionVariables(spec, entry)
          : componentVariables(spec, section, entry)
      const inputs = new Map(
        variables.flatMap((variable) =>
          variable.written === true ? [] : [[variable.name, variable] as const],
        ),
      )
      return variables.flatMap((variable) => {
        const input = variable.written === true ? inputs.get(variable.name) : undefined
        if (input === undefined || !collide(input, variable, [])) return []
        const path = `${joinField(section, entry)}.container.environment`
        const message = `the input ${variable.name} replaces this value: rename one of them`
        return [{ field: joinField(path, variable.name), message }]
      })
    }),
  )
}
