import { stringify } from 'yaml'

import type { DeploymentTemplate } from './template-types.ts'

/** A template as YAML, keys in the template's own order, without anchors or folded lines. */
export function templateToYaml(template: DeploymentTemplate): string {
  return stringify(template, { aliasDuplicateObjects: false, lineWidth: 0 })
}
