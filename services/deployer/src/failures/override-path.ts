import { componentName, type DeploymentTemplate } from '@slipway/agent-spec'

const SECTIONS = [
  ['models', 'model'],
  ['knowledge', 'knowledge'],
  ['tools', 'tool'],
  ['ingestion', 'ingestion'],
] as const

/** Returns a component's part of the template, as overrides name it, e.g. `tools.search`. */
export function overridePath(template: DeploymentTemplate, component: string): string {
  for (const [section, kind] of SECTIONS) {
    const entry = Object.keys(template[section]).find(
      (name) => componentName(kind, name) === component,
    )
    if (entry !== undefined) return `${section}.${entry}`
  }
  return component === 'messaging' ? 'interfaces' : component
}
