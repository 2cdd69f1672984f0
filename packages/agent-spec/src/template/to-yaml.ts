import { stringify } from 'yaml'

import type { DeploymentTemplate } from './template-types.ts'

/** Writes a template as YAML: keys in the template's order, without anchors or folded lines. */
export function templateToYaml(template: DeploymentTemplate): string {
  return stringify(template, { aliasDuplicateObjects: false, lineWidth: 0 })
}
