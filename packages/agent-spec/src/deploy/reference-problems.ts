import { parseValue, type Reference } from '../environment/references.ts'
import { own } from '../json.ts'
import type { TemplateSettings } from '../template/settings.ts'
import type { DeploymentTemplate } from '../template/template-types.ts'
import { providerOf } from './resolve-values.ts'

const MAX_SHOWN_LENGTH = 100

/** Reports the references in an environment value that can't be resolved. */
export function* referenceProblems(
  template: DeploymentTemplate,
  settings: TemplateSettings,
  value: string,
): Generator<string> {
  for (const part of parseValue(value)) {
    if (part.kind === 'text') continue
    if (part.kind === 'invalid') {
      const shown =
        part.text.length > MAX_SHOWN_LENGTH ? `${part.text.slice(0, MAX_SHOWN_LENGTH)}…` : part.text
      yield `${shown} is not a reference (write $\${ for a literal \${)`
      continue
    }
    const problem = unresolved(template, settings, part.reference)
    if (problem !== undefined) yield problem
  }
}

function unresolved(
  template: DeploymentTemplate,
  settings: TemplateSettings,
  reference: Reference,
): string | undefined {
  if (reference.kind === 'source') return undefined
  if (reference.kind === 'credential') {
    const isKnown = own(template.credentials, reference.key) !== undefined
    return isKnown ? undefined : `\${credentials.${reference.key}} refers to an unknown credential`
  }
  const { section, entry, field } = reference
  const written = `\${${section}.${entry}.${field}}`
  const component = own(template[section], entry)
  if (!component) return `${written} refers to a component that does not run in a container`
  const hasPassword = providerOf({ template, settings }, section, entry)?.password !== undefined
  return field === 'password' && !hasPassword
    ? `${written} refers to a store without a password`
    : undefined
}
