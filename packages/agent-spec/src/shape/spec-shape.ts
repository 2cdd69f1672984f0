import { ENTRY_LIMITS, TAG_LIMITS } from '../read/values.ts'
import { TRIGGER_TYPES } from '../spec-types.ts'
import {
  agentPort,
  build,
  command,
  componentEntry,
  container,
  entries,
  environment,
  flag,
  healthcheck,
  input,
  inputs,
  scope,
  text,
} from './parts.ts'
import type { ObjectShape } from './shape.ts'

/** The accepted versions of the format. They all have the same meaning. */
const SPEC_VERSIONS = ['astro/v1', 'package/v1', 'blueprint/v1'] as const

/** The whole file. */
export const specShape: ObjectShape = {
  kind: 'object',
  about: 'An agent: its container and what it needs around it.',
  fields: {
    spec: text('The version of the format.', { oneOf: SPEC_VERSIONS }),
    name: text('The name of the agent.'),
    meta: {
      kind: 'object',
      about: 'Metadata that the catalog shows.',
      fields: {
        description: text('A description of the agent.'),
        tags: {
          kind: 'list',
          about: 'Tags to find it by.',
          of: text('A tag.', { maxLength: TAG_LIMITS.length }),
          maxItems: TAG_LIMITS.count,
        },
      },
    },
    agent: {
      kind: 'object',
      about: "The agent's own container.",
      fields: {
        image: text('The image to run.'),
        build,
        command,
        environment,
        healthcheck,
        inputs,
        port: agentPort,
      },
      exactlyOne: ['image', 'build'],
    },
    models: entries(
      'The models it uses.',
      componentEntry('A model.', { model: text('The model to load.') }),
    ),
    knowledge: entries(
      'The knowledge stores it uses.',
      componentEntry('A knowledge store.', {
        persistent: flag('Whether its data is kept in a volume.', false),
      }),
    ),
    tools: entries('The tools it uses.', componentEntry('A tool.', {})),
    integrations: entries('The services it is connected to.', {
      kind: 'object',
      about: 'A service that needs credentials.',
      fields: {
        provider: text('The provider.'),
        type: text('The kind of service.'),
        config: { kind: 'anyMap', about: 'Settings for the agent.' },
        credentials: {
          kind: 'list',
          about: 'The credentials it needs.',
          of: {
            kind: 'object',
            about: 'A credential.',
            fields: {
              suffix: text('The end of the name of its variable, <ENTRY>_<SUFFIX>.', {
                maxLength: ENTRY_LIMITS.variableLength,
              }),
              description: text('Its purpose.'),
              optional: flag('Whether it is optional.', false),
            },
            required: ['suffix'],
          },
        },
      },
    }),
    providers: entries('Providers defined in this file.', {
      kind: 'object',
      about: 'A provider.',
      fields: {
        scope,
        variables: { kind: 'list', about: 'Its variables: <PROVIDER>_<NAME>.', of: input },
        config: { kind: 'anyMap', about: 'Settings of the provider.' },
      },
      required: ['scope', 'variables'],
    }),
    ingestion: entries('The pipelines that fill its knowledge.', {
      kind: 'object',
      about: 'A pipeline.',
      fields: {
        container,
        trigger: {
          kind: 'object',
          about: 'The trigger of its runs.',
          fields: { type: text('The type of the trigger.', { oneOf: TRIGGER_TYPES }) },
          required: ['type'],
        },
        inputs,
      },
      required: ['container', 'trigger'],
    }),
    dev: { kind: 'any', about: 'Settings for local development; ignored here.' },
  },
  required: ['spec', 'name', 'agent'],
}
