import { DURATION_PROBLEM } from '../grammar/duration.ts'
import { ENTRY_LIMITS } from '../read/values.ts'
import { PROVIDER_SECTIONS } from '../spec-types.ts'
import type { ObjectShape, Shape, TextShape } from './shape.ts'

/** Returns the shape of a string. */
export const text = (about: string, more: Partial<TextShape> = {}): TextShape => ({
  kind: 'text',
  about,
  ...more,
})
/** Returns the shape of a boolean. */
export const flag = (about: string, fallback?: boolean): Shape => ({
  kind: 'boolean',
  about,
  ...(fallback === undefined ? {} : { default: fallback }),
})
/** Returns the shape of a section: named entries of one kind. */
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
      problem: DURATION_PROBLEM,
    },
    default: fallback,
  })

const port: Shape = { kind: 'integer', about: 'The port it listens on.', min: 1, max: 65535 }

/** How to build an image. */
export const build: ObjectShape = {
  kind: 'object',
  about: 'How to build the image. Clients replace it with an image before they register the build.',
  fields: {
    context: text('The directory of the build context.'),
    dockerfile: text('The Dockerfile, relative to the context; by default `Dockerfile`.'),
    target: text('The stage to build.'),
    args: {
      kind: 'map',
      about: 'Build arguments.',
      of: { kind: 'scalar', about: 'A value.', isText: true },
    },
    secrets: {
      kind: 'list',
      about: 'Secrets that the build may read.',
      of: {
        kind: 'object',
        about: 'A build secret.',
        fields: {
          id: text('The id it is mounted under.'),
          env: text('The environment variable that contains it.'),
        },
        required: ['id'],
      },
    },
  },
  required: ['context'],
}

/** How a built image starts. */
export const command = text(
  'How the image that `build` makes from a project starts, as words without a shell. $PORT is ' +
    'the port. Default: what the project says.',
)

const check: ObjectShape['fields'] = {
  test: {
    kind: 'list',
    about: 'A command, written as in Compose files.',
    of: text('A word of the command.'),
    minItems: 1,
  },
  path: text('An HTTP path on the port.', {
    format: { pattern: '^/', problem: 'must start with /' },
  }),
  interval: duration('The time between two checks.', '10s'),
  timeout: duration('The maximum time of a check.', '5s'),
  retries: {
    kind: 'integer',
    about: 'The number of checks in a row that must fail.',
    min: 1,
    max: 100,
    default: 3,
  },
}

/** How to check that a container must be restarted. */
export const liveness: ObjectShape = {
  kind: 'object',
  about:
    'Restarts the container when this check fails. It must not depend on other services: their ' +
    'outage would restart a healthy container.',
  fields: check,
}

/** How to check that a container is ready. */
export const healthcheck: ObjectShape = {
  kind: 'object',
  about: 'How to check that the container has started and is ready for requests.',
  fields: { ...check, liveness },
}

/** A variable that is set when the agent is deployed. */
export const input: ObjectShape = {
  kind: 'object',
  about: 'A variable that is set when the agent is deployed.',
  fields: {
    name: text('The name of the environment variable.', {
      format: {
        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
        problem: 'must be a valid name for an environment variable',
      },
      maxLength: ENTRY_LIMITS.variableLength,
    }),
    datatype: text('The type of the value.', {
      oneOf: ['string', 'boolean', 'number', 'array', 'object'],
    }),
    secret: flag('Whether the value is a credential.', false),
    description: text('Its purpose.'),
    'display-as': text('The kind of form field that asks for it.', {
      oneOf: ['short-text', 'long-text', 'select'],
    }),
    options: {
      kind: 'list',
      about: 'The values to choose from.',
      of: { kind: 'scalar', about: 'A value.' },
      minItems: 1,
    },
    default: { kind: 'any', about: 'The value if none is set.' },
    optional: flag('Whether it is optional.', false),
  },
  required: ['name', 'datatype'],
}

/** The inputs of the agent or of an entry. */
export const inputs: Shape = {
  kind: 'map',
  about: 'Variables that are set when the agent is deployed: a mapping with any keys, or a list.',
  of: input,
  orList: true,
}

/** The variables of a container. */
export const environment: Shape = {
  kind: 'map',
  about:
    'Its environment variables. ${models|knowledge|tools.<name>.host|port|url}, ' +
    '${credentials.KEY} and ${source.name|build|account|registry} are replaced.',
  of: { kind: 'scalar', about: 'A value.', isText: true },
}

/** A container defined in the file. */
export const container: ObjectShape = {
  kind: 'object',
  about: 'A container defined in this file.',
  fields: {
    image: text('The image to run.'),
    build,
    command,
    port,
    environment,
    gpu: {
      kind: 'object',
      about: 'The GPU it needs.',
      fields: {
        vram: { kind: 'scalar', about: 'The memory it needs, e.g. 24Gi.' },
        runtime: text('The GPU runtime.', { oneOf: ['cuda', 'rocm'], default: 'cuda' }),
      },
    },
    persistent: flag('Whether its data is kept in a volume.', false),
    volume: text('Where the volume is mounted.', {
      format: { pattern: '^/[^/:][^:]*$', problem: 'must be an absolute path' },
    }),
    healthcheck,
  },
  exactlyOne: ['image', 'build'],
}

/** Returns the shape of an entry that is a provider or a container. */
export function componentEntry(about: string, more: Readonly<Record<string, Shape>>): ObjectShape {
  return {
    kind: 'object',
    about,
    fields: { provider: text('The provider.'), container, ...more, inputs },
    exactlyOne: ['provider', 'container'],
  }
}

/** The sections that a provider defined in the file may be used in. */
export const scope: Shape = {
  kind: 'list',
  about: 'The sections it may be used in.',
  of: text('A section.', { oneOf: PROVIDER_SECTIONS }),
  minItems: 1,
}

/** The agent's own port. */
export const agentPort = port
