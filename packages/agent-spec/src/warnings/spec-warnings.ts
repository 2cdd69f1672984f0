import { collisions, sharedCredentials, type FieldProblem } from '../environment/collisions.ts'
import { compareCodePoints } from '../json.ts'
import type { ParsedSpec } from '../parse/parse-spec.ts'
import { defaultProviders, type ProviderTable } from '../providers.ts'
import { checkShape } from '../shape/check-shape.ts'
import { specShape } from '../shape/spec-shape.ts'
import { inputWarnings } from './input-warnings.ts'
import { providerWarnings } from './provider-warnings.ts'
import { referenceWarnings } from './reference-warnings.ts'
import { replacedVariables } from './replaced-variables.ts'
import { valueWarnings } from './value-warnings.ts'

/** A problem in a spec file that doesn't prevent its registration. */
export type SpecWarning = FieldProblem

const MAX_WARNINGS = 500

/**
 * Returns the problems in a spec file, sorted by field, then message. Ignores values that a deploy
 * provides, such as credentials.
 */
export function specWarnings(
  parsed: ParsedSpec,
  context: { readonly agentName: string; readonly providers?: ProviderTable },
): SpecWarning[] {
  const { document, spec } = parsed
  const table = context.providers ?? defaultProviders
  const warnings: SpecWarning[] = []
  checkShape(document, specShape, '', (problem) => warnings.push(problem))
  if (spec.name !== undefined && spec.name !== context.agentName) {
    warnings.push({
      field: 'name',
      message: `differs from the agent's name ${JSON.stringify(context.agentName)}`,
    })
  }
  warnings.push(
    ...providerWarnings(spec, table),
    ...collisions(spec, table, context.agentName),
    ...sharedCredentials(spec, table),
    ...replacedVariables(spec),
    ...inputWarnings(document),
    ...valueWarnings(spec, document),
    ...referenceWarnings(spec, table),
  )
  return sortedOnce(warnings)
}

function sortedOnce(warnings: readonly SpecWarning[]): SpecWarning[] {
  const byText = new Map(
    warnings.map((warning) => [`${warning.field}\0${warning.message}`, warning]),
  )
  const sorted = [...byText.values()].sort(
    (a, b) => compareCodePoints(a.field, b.field) || compareCodePoints(a.message, b.message),
  )
  if (sorted.length <= MAX_WARNINGS) return sorted
  const more = {
    field: '',
    message: `only the first ${MAX_WARNINGS} of ${sorted.length} warnings are shown`,
  }
  return [more, ...sorted.slice(0, MAX_WARNINGS)]
}
