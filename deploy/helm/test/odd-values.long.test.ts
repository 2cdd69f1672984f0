import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'

import { secretFiles } from './support/mounted-files.ts'
import { podsOf } from './support/objects.ts'
import { example, objectsIn, RELEASE, renderText } from './support/render.ts'
import { environmentOf, SERVICES } from './support/service-settings.ts'
import { membersOf, resolved, valuesSchema, type Schema } from './support/values-schema.ts'

// No value that the chart accepts keeps a service from starting: odd and random values for each
// value that becomes a setting. Those that the schema refuses are left out of the others.

const SETTINGS = [
  /^(nats|clickhouse|rpc|auth|trustedProxies|listenAddress|publicUrl|signIn|corsOrigins)\b/,
  /^(agents|accountLimits|modelPrices|image|ingress|defaults\/logLevel)\b/,
]
/** What the API server reads, or is checked as a whole. */
const OTHERS =
  /\/(peers|dnsPeers|annotations|accepted|providerOverrides)\b|^image\/(?!registry|tag)/
const RANDOM = 4
const ODD = [
  ' ',
  'a b',
  'a,b',
  '://',
  'http://',
  'https://a:99999',
  'http://[::1',
  'https://u:p@a',
  'https://a/b?c#d',
  '999.1.1.1',
  '10.0.0.0/33',
  'fd00::/129',
  '1.2.3.4/',
  '[fd00::1]:5000',
  'é',
  '"',
  '${x}',
  'a\nb',
  '0',
  '/',
  'x'.repeat(300),
]

type Path = readonly (string | number)[]
type Values = Record<string | number, unknown>

interface Leaf {
  readonly path: Path
  readonly candidates: readonly unknown[]
}

const directory = mkdtempSync(join(tmpdir(), 'slipway-odd-values-'))
const files = await secretFiles(join(directory, 'certificates'))
const usual = parse(readFileSync(example('every-setting'), 'utf8'), { version: '1.1' }) as Values
afterAll(() => rmSync(directory, { recursive: true }))

function leavesOf(schema: Schema, path: Path): Leaf[] {
  const { items, ...rest } = resolved(schema)
  if (items !== undefined) return leavesOf(items, [...path, 0])
  const members = membersOf(rest)
  if (members.length > 0) return members.flatMap(([name, each]) => leavesOf(each, [...path, name]))
  const name = path.join('/')
  if (!SETTINGS.some((each) => each.test(name)) || OTHERS.test(name)) return []
  return [{ path, candidates: candidatesOf(rest) }]
}

function candidatesOf({ type, enum: words = [], pattern, minimum, maximum }: Schema): unknown[] {
  const types = [type].flat()
  const matches = new RegExp(pattern ?? '')
  const random =
    pattern === undefined ? [] : fc.sample(fc.stringMatching(matches), { numRuns: RANDOM, seed: 3 })
  const texts = types.includes('string') ? [...ODD, ...random] : []
  const isInteger = types.includes('integer')
  const numbers = [0, 1, -1, 65_536, 2 ** 31, 2 ** 53 - 1, 0.1, 1e-9, minimum, maximum]
  const isNumeric = isInteger || types.includes('number')
  return [
    ...words,
    ...texts.filter((text) => matches.test(text)),
    ...numbers.filter((number) => isNumeric && (!isInteger || Number.isInteger(number))),
    ...(types.includes('boolean') ? [true, false] : []),
  ]
}

function withValues(leaves: readonly Leaf[], round: number): string {
  const values = structuredClone(usual)
  for (const { path, candidates } of leaves) {
    let place = values
    for (const [index, key] of path.slice(0, -1).entries())
      place = (place[key] ??= typeof path[index + 1] === 'number' ? [] : {}) as Values
    place[path.at(-1) ?? ''] = candidates[round]
  }
  const file = join(directory, 'values.json')
  writeFileSync(file, JSON.stringify(values))
  return file
}

type Rendering = { readonly text: string } | { readonly refusal: string }

async function render(leaves: readonly Leaf[], round: number): Promise<Rendering> {
  return await renderText([withValues(leaves, round)]).then(
    (text) => ({ text }),
    (error: unknown) => ({ refusal: String((error as { stderr?: string }).stderr) }),
  )
}

/** Returns what services say to a round's values, as far as the chart accepts them. */
async function problemsOf(leaves: readonly Leaf[], round: number): Promise<string[]> {
  const rendering = await render(leaves, round)
  if ('text' in rendering) return problemsWith(rendering.text)
  const named = [...rendering.refusal.matchAll(/at '\/([^']*)'/g)].map(([, path = '']) => path)
  // Only the innermost of nested objects.
  const refused = named.filter((path) => !named.some((each) => each.startsWith(`${path}/`)))
  const left = leaves.filter(({ path }) => {
    const name = path.join('/')
    return !refused.some((each) => name === each || name.startsWith(`${each}/`))
  })
  if (left.length < leaves.length) return await problemsOf(left, round)
  // A check of the templates names the value, or one of the values.
  expect(rendering.refusal).not.toMatch(/YAML parse error|nil pointer|error calling|converting/)
  const others = left.filter(({ path }) => !rendering.refusal.includes(nameOf(path)))
  if (others.length < left.length) return await problemsOf(others, round)
  throw new Error(`it names no value: ${rendering.refusal}`)
}

/** The name of a value in messages, for example `auth.issuers`. */
function nameOf(path: Path): string {
  const end = path.findIndex((key) => typeof key === 'number')
  return path.slice(0, end === -1 ? path.length : end).join('.')
}

function problemsWith(text: string): string[] {
  const objects = objectsIn(text)
  const pods = podsOf(objects, RELEASE.namespace)
  return SERVICES.flatMap(({ service, readConfig }) => {
    const pod = pods.find(({ component }) => component === service)
    const [container] = pod?.containers ?? []
    if (pod === undefined || container === undefined) throw new Error(`there is no ${service}`)
    try {
      const config = readConfig(environmentOf(objects, { pod, container }, { directory, files }))
      const { nats } = config as Partial<{ nats: { urlProblem?: string } }>
      return nats?.urlProblem === undefined ? [] : [`${service}: NATS_URL: ${nats.urlProblem}`]
    } catch (error) {
      return [`${service}: ${String(error)}`]
    }
  })
}

test('no service refuses what the chart accepts', async () => {
  const leaves = leavesOf(valuesSchema, [])
  expect(leaves.length).toBeGreaterThan(100)
  const rounds = Math.max(...leaves.map(({ candidates }) => candidates.length))
  const problems: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const active = leaves.filter(({ candidates }) => round < candidates.length)
    problems.push(...(await problemsOf(active, round)))
  }
  expect([...new Set(problems)]).toEqual([])
})
