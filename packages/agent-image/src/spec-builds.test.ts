import { parseSpec } from '@slipway/agent-spec'
import { describe, expect, test } from 'vitest'

import { readSpecFile } from './spec-builds.ts'

function pushed(source: string): string {
  const file = readSpecFile(source)
  for (const [index, { replaceBy }] of file.builds.entries()) replaceBy(`host:5000/a:${index}`)
  return file.text()
}

test('changes nothing but the builds', () => {
  const source = `# An agent
spec: astro/v1   # the format
name:   "a"
agent:
  build:  # here
    context: .
    dockerfile: Dockerfile # ours

  # The port.
  port: 8080
tools:
  t: { container: { build: {context: ., dockerfile: D, target: t}, port: 0x50,
    environment: &e { ID: 1234567890123456789, API: 1.10, ZIP: 01234, YES: True } } }
  u: { container: { image: b, environment: *e } }
ingestion:
  docs:
    trigger: { type: manual }
    container:
      build:
        context: docs
        dockerfile: D
        args:
          - unused
`
  expect(pushed(source)).toBe(`# An agent
spec: astro/v1   # the format
name:   "a"
agent:
  image: host:5000/a:0 # ours

  # The port.
  port: 8080
tools:
  t: { container: { image: host:5000/a:1, port: 0x50,
    environment: &e { ID: 1234567890123456789, API: 1.10, ZIP: 01234, YES: True } } }
  u: { container: { image: b, environment: *e } }
ingestion:
  docs:
    trigger: { type: manual }
    container:
      image: host:5000/a:2
`)
})

test('arguments of a build have the text of the file', () => {
  const { builds } = readSpecFile(
    'agent: { build: { context: ., dockerfile: D, args: { A: 1.10, B: 0x1F, C: True, D: "1" } } }',
  )
  expect(builds[0]?.build.args).toEqual({ A: '1.10', B: '0x1F', C: 'True', D: '1' })
})

test('builds that share an anchor are all replaced', () => {
  const source = `spec: astro/v1
name: a
agent: { build: &b { context: ., dockerfile: D } }
tools: { t: { container: { build: *b } } }
`
  expect(pushed(source)).toBe(`spec: astro/v1
name: a
agent: { image: host:5000/a:0 }
tools: { t: { container: { image: host:5000/a:1 } } }
`)
})

describe('an anchor inside of a build', () => {
  test.each([
    ['{ LOG: info, API: 1.10 }', '&common { LOG: info, API: 1.10 }'],
    ["\n      LOG: 'a b'\n      TEXT: |\n        two\n        lines\n      API: 1.10 # x\n", ''],
    ['\n      LIST: a, b\n      NONE:\n', '&common { LIST: "a, b", NONE: ~ }'],
  ])('moves to its first alias elsewhere: %j', (args, expected) => {
    const source = `spec: astro/v1
name: a
agent:
  build:
    dockerfile: D
    context: .
    args: &common ${args}
  port: 8080
tools:
  t: { container: { image: b, environment: *common } }
  u:
    container:
      image: b
      environment: *common
`
    const result = pushed(source)
    const { tools } = parseSpec(result).spec
    expect(tools['t']?.container?.environment).toEqual(tools['u']?.container?.environment)
    expect(tools).toEqual(parseSpec(source).spec.tools)
    expect(result).toContain(expected)
    expect(result).toMatch(/environment: \*common\n$/)
  })
})

test('rejects an entry with image and build', () => {
  expect(() =>
    readSpecFile('agent: { image: a, build: { context: ., dockerfile: D } }'),
  ).toThrowError('agent has image and build')
})

test('quotes an image whose registry is an IPv6 address', () => {
  const file = readSpecFile('agent: { build: { context: ., dockerfile: D } }')
  file.builds[0]?.replaceBy('[::1]:5000/a:1')
  expect(parseSpec(file.text()).spec.agent.image).toBe('[::1]:5000/a:1')
})

test('reads how builds start, and names what needs a shell', () => {
  const spec = (command: string): string =>
    `name: a\nagent:\n  port: 9000\n  command: ${command}\n  build: {context: .}\n`
  const [build] = readSpecFile(spec('uvicorn app:api --port $PORT')).builds
  expect(build?.start).toEqual({
    port: 9000,
    command: ['uvicorn', 'app:api', '--port', '9000'],
  })
  expect(() => readSpecFile(spec('a && b'))).toThrow('agent.command needs a shell')
  expect(() => readSpecFile(spec('[a, b]'))).toThrow('agent.command must be a text')
})

test('warns of a command next to an image, which says what starts', () => {
  const spec = readSpecFile(
    'name: a\nagent: {image: a/b, command: node x.js}\n' +
      'tools: {t: {container: {image: c/d, command: run}}, u: {container: {image: e/f}}}\n',
  )
  expect(spec.warnings).toEqual([
    expect.stringContaining('astroai.yml: agent.command is not used'),
    expect.stringContaining('astroai.yml: tools.t.container.command is not used'),
  ])
})
