import { ENTRY_LIMITS } from '../read/values.ts'
import { PROVIDER_SECTIONS } from '../spec-types.ts'
import type { ObjectShape, Shape, TextShape } from './shape.ts'

/** A text of any content. */
export const text = (about: string, more: Partial<TextShape> = {}): TextShape => ({
  kind: 'text',
  about,
  ...more,
})
/** `true` or `false`. */
export const flag = (about: string, fallback?: boolean): Shape => ({
  kind: 'boolean',
  about,
  ...(fallback === undefined ? {} : { default: fallback }),
})
/** Named entries of one kind. */
export const entries = (about: string, of: Shape): Shape => ({
  kind: 'map',
  about,
  of,
  entries: true,
})

const duration = (about: string, fallback: string): TextShape =>
  text(about, {
    format: {
      // The same grammar as grammar/duration.ts; the bounds are checked there.
      pattern: '^(?:(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:ns|us|µs|ms|s|m|h))+$',
      problem: 'must be a duration like 10s or 1m30s',
    },
    default: fallback,
  })

const port: Shape = { kind: 'integer', about: 'The port that it listens on.', min: 1, max: 65535 }

/** How to build an image; clients replace it by the image before they register. */
export const build: ObjectShape = {
  kind: 'object',
  about: 'How to build the image. Replaced by an image before the build is registered.',
  fields: {
    context: text('The directory to build in.'),
    dockerfile: text('The Dockerfile, relative to the context.'),
    target: text('The stage to build.'),
    args: {
      kind: 'map',
      about: 'Arguments of the build.',
      of: { kind: 'scalar', about: 'Its value.' },
    },
    secrets: {
      kind: 'list',
      about: 'Secrets that the build may read.',
      of: {
        kind: 'object',
        about: 'A secret of the build.',
        fields: {
          id: text('The name it is mounted by.'),
          env: text('The variable that holds it.'),
        },
        required: ['id'],
      },
    },
  },
  required: ['context', 'dockerfile'],
}

/** How to see that a container works. */
export const healthcheck: ObjectShape = {
  kind: 'object',
  about: 'How to see that the container works.',
  fields: {
    test: {
      kind: 'list',
      about: 'A command, in the style of compose files.',
      of: text('A word of the command.'),
      minItems: 1,
    },
    path: text('An HTTP path on the port.', {
      format: { pattern: '^/', problem: 'must begin with /' },
    }),
    interval: duration('The time between two checks.', '10s'),
    timeout: duration('The time that a check may take.', '5s'),
    retries: {
      kind: 'integer',
      about: 'The failures in a row that count as not working.',
      min: 1,
      max: 100,
      default: 3,
    },
  },
}

/** A variable that whoever deploys may or must set. */
export const input: ObjectShape = {
  kind: 'object',
  about: 'A variable that is set when the agent is deployed.',
  fields: {
    name: text('The environment variable.', {
      format: {
        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
        problem: 'must be a valid name for an environment variable',
      },
      maxLength: ENTRY_LIMITS.variableLength,
    }),
    datatype: text('What the value is.', {
      oneOf: ['string', 'boolean', 'number', 'array', 'object'],
    }),
    secret: flag('Whether the value is a credential.', false),
    description: text('What it is for.'),
    'display-as': text('How to ask for it.', { oneOf: ['short-text', 'long-text', 'select'] }),
    options: {
      kind: 'list',
      about: 'The values to choose from.',
      of: { kind: 'scalar', about: 'A value.' },
      minItems: 1,
    },
    default: { kind: 'any', about: 'The value when none is given.' },
    optional: flag('Whether it may be left out.', false),
  },
  required: ['name', 'datatype'],
}

/** The inputs of the agent or an entry. */
export const inputs: Shape = {
  kind: 'map',
  about: 'Variables that are set when the agent is deployed.',
  of: input,
}

/** A container that the file brings along. */
export const container: ObjectShape = {
  kind: 'object',
  about: 'A container that the file brings along.',
  fields: {
    image: text('The image to run.'),
    build,
    port,
    environment: {
      kind: 'map',
      about:
        'Its variables. ${models|knowledge|tools.<name>.host|port|url}, ${credentials.KEY} and ${source.name|build|account|registry} are replaced.',
      of: { kind: 'scalar', about: 'A value.' },
    },
    gpu: {
      kind: 'object',
      about: 'The GPU it needs.',
      fields: {
        vram: { kind: 'scalar', about: 'The memory it needs, e.g. 24Gi.' },
        runtime: text('The GPU runtime.', { oneOf: ['cuda', 'rocm'], default: 'cuda' }),
      },
    },
    persistent: flag('Whether its data outlives it.', false),
    volume: text('Where its data lies when it is persistent.', {
      format: { pattern: '^/[^/:][^:]*$', problem: 'must be an absolute path' },
    }),
    healthcheck,
  },
  exactlyOne: ['image', 'build'],
}

/** A section's entry that is a provider or a container. */
export function componentEntry(about: string, more: Readonly<Record<string, Shape>>): ObjectShape {
  return {
    kind: 'object',
    about,
    fields: { provider: text('Who provides it.'), container, ...more, inputs },
    exactlyOne: ['provider', 'container'],
  }
}

/** The sections that a provider of the file may be used in. */
export const scope: Shape = {
  kind: 'list',
  about: 'The sections it may be used in.',
  of: text('A section.', { oneOf: PROVIDER_SECTIONS }),
  minItems: 1,
}

/** The agent's own port. */
export const agentPort = port
