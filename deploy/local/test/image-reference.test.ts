import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseImage } from '@slipway/agent-spec'
import { rounds } from '@slipway/testing/rounds'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { buildTool } from '../install/toolchain.ts'
import { stackDirectories } from '../stack/stack.ts'

// Nodes parse references with the Go module of this program.

interface Parts {
  readonly registry: string
  readonly repository: string
  readonly tag: string
  readonly digest: string
}

let program: string
beforeAll(async () => {
  const directory = await buildTool(stackDirectories(), 'image-reference', () => undefined)
  program = join(directory, 'image-reference')
}, 180_000)

function ofNodes(images: readonly string[]): (Parts | null)[] {
  const input = JSON.stringify(images)
  return JSON.parse(execFileSync(program, { input, encoding: 'utf8' })) as (Parts | null)[]
}

const oneOf = fc.constantFrom
const host = fc.oneof(
  oneOf('a.b', 'A.b', 'localhost', 'Localhost', 'docker.io', 'index.docker.io', 'a-.b', 'a_b'),
  oneOf('a..b', '.a', 'a.', '127.0.0.1', '[::1]', '[::g]', '::1', 'a@b', 'team', 'xn--a', ''),
  fc.stringMatching(/^[a-zA-Z0-9.-]{1,8}$/),
)
const port = fc.oneof(
  oneOf('', ':', ':80', ':443', ':0443', ':0', ':65535', ':65536', ':99999', ':a', ':5000'),
  fc.integer({ min: 0, max: 70_000 }).map((number) => `:${number}`),
)
const part = fc.oneof(
  oneOf('redis', 'library', 'a', 'a__b', 'a___b', 'a.b', 'a..b', 'A', '', '-a', 'a--b', 'a_-b'),
  fc.stringMatching(/^[a-z0-9._-]{1,6}$/),
)
const hex = (length: number) => fc.stringMatching(new RegExp(`^[a-f0-9]{${length}}$`))
const tag = fc.oneof(oneOf('', ':', ':1', ':latest', ':-a', ':_a', `:${'x'.repeat(129)}`, ':a:b'))
const digest = fc.oneof(
  fc.constant(''),
  oneOf('@', '@sha256:abc', '@sha256:', `@${'a'.repeat(64)}`),
  hex(64).map((text) => `@sha256:${text}`),
  hex(128).map((text) => `@sha512:${text}`),
)
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const valid = fc.tuple(
  oneOf('', 'A.b/', 'a.b:443/', 'a.b:0443/', 'a.b:70000/', 'localhost/', 'index.docker.io/'),
  oneOf('redis', 'library/redis', 'a__b/c', 'a/b-c/d'),
  oneOf('', ':1', ':_a'),
  oneOf('', `@sha256:${'a1'.repeat(32)}`),
)
const image = fc
  .oneof(
    { weight: 8, arbitrary: fc.tuple(host, port, oneOf('/', ''), path, tag, digest) },
    { weight: 2, arbitrary: fc.tuple(path, tag, digest) },
    { weight: 1, arbitrary: fc.tuple(hex(64)) },
    { weight: 3, arbitrary: valid },
  )
  .map((parts) => parts.join(''))

const DEFAULT_ALIASES = ['index.docker.io', 'registry-1.docker.io']

/** The one name of a registry that nodes accept; undefined for a port that doesn't exist. */
function canonical(registry: string): string | undefined {
  const number = /:(\d+)$/.exec(registry)?.[1]
  if (number?.startsWith('0') || Number(number ?? 1) > 65_535) return undefined
  const name = registry.toLowerCase().replace(/:443$/, '')
  return DEFAULT_ALIASES.includes(name) ? 'docker.io' : name
}

/** Spellings of addresses and of international names, which only URLs have rules for. */
function isSpecial({ registry }: Parts): boolean {
  const name = registry.replace(/:\d+$/, '').toLowerCase()
  return /(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(name) || name.startsWith('[') || /\bxn--/.test(name)
}

/** What Slipway must make of a reference that nodes parse so. */
function expected(parts: Parts | null): ReturnType<typeof parseImage> {
  // Nodes can't pull from a host with an underscore, which they take for a part of the path.
  if (parts === null || parts.registry === '') return undefined
  const registry = canonical(parts.registry)
  if (registry === undefined) return undefined
  const isOfficial = registry === 'docker.io' && !parts.repository.includes('/')
  return {
    registry,
    repository: isOfficial ? `library/${parts.repository}` : parts.repository,
    tag: parts.tag || undefined,
    digest: parts.digest || undefined,
  }
}

test('parses references as nodes do, and gives each registry one name', () => {
  let accepted = 0
  const batches = fc.array(image, { minLength: 200, maxLength: 200 })
  const compare = fc.property(batches, (batch) => {
    const pairs = ofNodes(batch).map((parts, index) => [batch[index] ?? '', parts] as const)
    const compared = pairs.filter(([, parts]) => parts === null || !isSpecial(parts))
    accepted += compared.filter(([, parts]) => parts !== null).length
    const wanted = compared.map(([given, parts]) => [given, expected(parts)])
    expect(compared.map(([given]) => [given, parseImage(given)])).toEqual(wanted)
  })
  // Each run starts a program, so a failure isn't made smaller.
  fc.assert(compare, { numRuns: rounds(20), endOnFailure: true })
  expect(accepted).toBeGreaterThan(100)
})
