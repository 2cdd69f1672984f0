import {
  buildTemplate,
  defaultTemplateSettings,
  parseSpec,
  templateToYaml,
} from '@slipway/agent-spec'
import { stringify } from 'yaml'

import { largeSpec } from '../../../support/hostile-specs.ts'
import type { Side, StartSide } from '../side.ts'

/** Writers of a deployment template of 120 KB as YAML. */
export const sides: Readonly<Record<string, StartSide>> = {
  slipway: () => repeatWriter(templateToYaml),
  yaml: () => repeatWriter(stringify),
}

function repeatWriter(write: (template: object) => string): Side {
  const template = largeTemplate()
  return {
    run(count) {
      for (let done = 0; done < count; done += 1) write(template)
    },
  }
}

function largeTemplate(): object {
  const { spec } = parseSpec(largeSpec())
  const source = { account: 'acme', name: 'bot', build: 'b1', registry: 'oci://registry.example' }
  return buildTemplate({ spec, source, settings: defaultTemplateSettings() })
}
