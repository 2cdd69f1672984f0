import { createHash } from 'node:crypto'

import type { AgentSpec } from '../spec-types.ts'
import { buildTemplate, type TemplateInput } from './build-template.ts'
import type { TemplateSettings } from './settings.ts'
import type { DeploymentTemplate } from './template-types.ts'

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024

/** A build's spec and its template. They are shared, so they must not be changed. */
export interface BuildTemplate {
  readonly spec: AgentSpec
  readonly template: DeploymentTemplate
}

/** What a template is made from, besides the settings. */
export interface BuildTemplateInput extends Omit<TemplateInput, 'spec' | 'settings'> {
  readonly specText: string
  /** Reads the text. */
  readonly readText: (specText: string) => AgentSpec
}

interface Made extends BuildTemplate {
  readonly bytes: number
}

/**
 * Makes the template of each build once. A build that is replaced has another text. Keeps the
 * templates that were used last, up to `maxBytes` as JSON.
 */
export class BuildTemplates {
  readonly #settings: TemplateSettings
  readonly #maxBytes: number
  /** The one used longest ago is first. */
  readonly #made = new Map<string, Made>()
  #bytes = 0

  constructor(settings: TemplateSettings, maxBytes: number = DEFAULT_MAX_BYTES) {
    this.#settings = settings
    this.#maxBytes = maxBytes
  }

  /** Returns the template of a build. Throws what `readText` throws, and TemplateTooLargeError. */
  of(input: BuildTemplateInput): BuildTemplate {
    const key = keyOf(input)
    const known = this.#made.get(key)
    const made = known ?? this.#make(input)
    if (known) this.#made.delete(key)
    else this.#bytes += made.bytes
    this.#made.set(key, made)
    for (const [oldest, { bytes }] of this.#made) {
      if (this.#bytes <= this.#maxBytes) break
      this.#made.delete(oldest)
      this.#bytes -= bytes
    }
    return made
  }

  #make({ specText, readText, ...input }: BuildTemplateInput): Made {
    const spec = readText(specText)
    const template = buildTemplate({ ...input, spec, settings: this.#settings })
    return { spec, template, bytes: specText.length + JSON.stringify(template).length }
  }
}

function keyOf({ specText, ...input }: BuildTemplateInput): string {
  // JSON leaves out the function.
  return createHash('sha256').update(JSON.stringify(input)).update(specText).digest('base64')
}
