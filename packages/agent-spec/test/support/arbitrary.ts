import fc from 'fast-check'

import type { JsonObject } from '../../src/index.ts'

/** Mostly the first; sometimes the second. */
const mostly = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 40, arbitrary: usual }, { weight: 1, arbitrary: rare })

const entryName = mostly(
  fc.constantFrom(
    'a',
    'b',
    'c',
    'a-b',
    'a_b',
    'A',
    'a.b',
    'redis',
    'openai',
    'openai_a',
    'my docs',
    'host',
    '3',
  ),
  fc.oneof(
    fc.constant('__proto__'),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 6 }),
  ),
)
const variable = mostly(
  fc.constantFrom('ALPHA', 'BETA', 'GAMMA', 'DELTA', 'LEVEL'),
  fc.constantFrom(
    'TOKEN',
    'OPENAI_API_KEY',
    'REDIS_HOST',
    'A_KEY',
    'OWN_API_KEY',
    'AGENT_URL',
    'x-y',
  ),
)
const input = variable.chain((name) =>
  // As in real files, a name is mostly used for one purpose.
  mostly(fc.constant(name.length % 2 === 0), fc.boolean()).chain((secret) =>
    fc.record(
      {
        name: fc.constant(name),
        datatype: fc.constantFrom('string', 'number'),
        secret: fc.constant(secret),
        default: fc.constantFrom('x', '${y}', 1),
        optional: fc.boolean(),
      },
      { requiredKeys: ['name', 'datatype', 'secret'] },
    ),
  ),
)
const inputs = fc.dictionary(fc.constantFrom('i', 'j', 'k'), input, { maxKeys: 2 })
const value = mostly<string | number>(
  fc.constantFrom('plain', '${source.name}', 'x ${credentials.EXTRA_KEY} y', '$${x}', 7),
  fc.constantFrom('${credentials.TOKEN}', '${knowledge.a.url}', '${tools.b.host}', '${HOME}'),
)
const container = fc.record(
  {
    image: mostly(fc.constant('i:1'), fc.constant('bad image')),
    port: fc.constantFrom(80, 8080),
    environment: fc.dictionary(variable, value, { maxKeys: 3 }),
    persistent: fc.boolean(),
  },
  { requiredKeys: ['image'] },
)
const section = (providers: string[]) =>
  fc.dictionary(
    entryName,
    fc.oneof(
      fc.record(
        { provider: fc.constantFrom(...providers), inputs },
        { requiredKeys: ['provider'] },
      ),
      fc.record({ container, inputs }, { requiredKeys: ['container'] }),
    ),
    { maxKeys: 3 },
  )

const ownVariable = (name: string) => ({ name, datatype: 'string', secret: true })

/** Mostly valid specs. They use few names, so that names collide. */
export const specDocument = fc.record(
  {
    spec: fc.constant('astro/v1'),
    name: fc.constant('example'),
    agent: fc.record(
      {
        image: fc.constant('a:1'),
        port: fc.constant(80),
        inputs,
        environment: fc.dictionary(variable, value, { maxKeys: 2 }),
      },
      { requiredKeys: ['image'] },
    ),
    models: section(['openai', 'anthropic', 'ollama', 'own', 'own_a']),
    knowledge: section(['redis', 'postgres', 'pinecone', 'qdrant']),
    tools: section(['github', 'gitlab']),
    providers: fc.constant({
      own: { scope: ['models'], variables: [ownVariable('A_KEY'), ownVariable('API_KEY')] },
      own_a: { scope: ['models'], variables: [ownVariable('KEY')] },
    }),
    integrations: fc.dictionary(
      mostly(entryName, fc.constantFrom('openai', 'own', 'redis')),
      fc.record({
        credentials: fc.array(
          fc.record({ suffix: fc.constantFrom('KEY', 'A_KEY', 'API_KEY', 'URL') }),
          {
            maxLength: 2,
          },
        ),
      }),
      { maxKeys: 3 },
    ),
    ingestion: fc.dictionary(
      entryName,
      fc.record({
        container,
        trigger: fc.record({ type: fc.constantFrom('schedule', 'manual', 'startup') }),
        inputs,
      }),
      { maxKeys: 2 },
    ),
  },
  { requiredKeys: ['spec', 'name', 'agent'] },
) as fc.Arbitrary<JsonObject>

const garbage = fc.jsonValue({ maxDepth: 3 })

/** Documents with the keys of the format and any values. */
export const wrongDocument = fc.dictionary(
  fc.constantFrom(
    'spec',
    'name',
    'meta',
    'agent',
    'models',
    'knowledge',
    'tools',
    'integrations',
    'providers',
    'ingestion',
    'dev',
    'x',
  ),
  fc.oneof(
    garbage,
    fc.dictionary(
      fc.constantFrom('image', 'build', 'port', 'inputs', 'healthcheck', 'a', 'b'),
      fc.oneof(
        garbage,
        fc.dictionary(
          fc.constantFrom(
            'provider',
            'container',
            'trigger',
            'credentials',
            'inputs',
            'scope',
            'variables',
            'name',
            'test',
          ),
          garbage,
        ),
      ),
    ),
  ),
) as fc.Arbitrary<JsonObject>
