import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readRelease } from './labels.ts'
import { SERVICES, type ServiceDescription } from './services.ts'

const checkout = join(import.meta.dirname, '../../..')
const source = readFileSync(join(checkout, 'Dockerfile'), 'utf8').replaceAll('\\\n', '')

/** Returns the instructions of a stage, as `[name, arguments]`. */
function stage(name: string): [instruction: string, rest: string][] {
  const body = source.split(/^FROM /m).find((each) => each.split('\n')[0]?.endsWith(` AS ${name}`))
  const lines = (body ?? '')
    .split('\n')
    .slice(1)
    .filter((line) => /^[A-Z]/.test(line))
  return lines.map((line) => [line.split(' ', 1)[0] ?? '', line.replace(/^\S+\s+/, '')])
}

/** Returns the `name=value` pairs of all instructions of a kind. */
function pairs(name: string, instruction: string): Record<string, string> {
  const text = stage(name).flatMap(([found, rest]) => (found === instruction ? [rest] : []))
  const found = text.join(' ').matchAll(/([\w.]+)=("([^"]*)"|\S+)/g)
  return Object.fromEntries([...found].map(([, key, value = '', quoted]) => [key, quoted ?? value]))
}

function only(name: string, instruction: string): string | undefined {
  return stage(name).find(([found]) => found === instruction)?.[1]
}

// The identity provider is for trying Slipway in a cluster, from the images that `./dev` builds.
const targets = Object.entries<ServiceDescription>(SERVICES).filter(
  ([name]) => name !== 'identity-provider',
)

describe.each(targets)('the target %s', (name, service) => {
  test('starts the same program with the same settings as the image of ./dev images', () => {
    const { folder, program, ports = [] } = service
    expect(JSON.parse(only(name, 'ENTRYPOINT') ?? '[]')).toEqual(['node', `${folder}/${program}`])
    expect(pairs(name, 'ENV')).toEqual(service.environment ?? {})
    expect(only(name, 'EXPOSE')?.split(' ').map(Number) ?? []).toEqual([...ports])
    expect(pairs(name, 'LABEL')).toEqual({
      'org.opencontainers.image.title': service.title,
      'org.opencontainers.image.description': service.description,
    })
    expect(only(`${name}-app`, 'RUN')).toBe(`node deploy/images/main.ts ${folder} /out /base`)
  })
})

test('runs as a numeric user that is not root, with the version of this checkout', async () => {
  const { version, license } = await readRelease(checkout)
  expect(only('runtime', 'USER')).toBe('1000:1000')
  expect(only('runtime', 'ARG')).toBe(`VERSION=${version}`)
  expect(pairs('runtime', 'LABEL')['org.opencontainers.image.licenses']).toBe(license)
})

test('installs the pnpm of the launcher, by its hash', () => {
  const launcher = readFileSync(join(checkout, 'dev'), 'utf8')
  const version = /^pnpm_version=(.*)$/m.exec(launcher)?.[1]
  const pinned = (file: string): unknown =>
    JSON.parse(readFileSync(join(checkout, 'deploy/images/pnpm', file), 'utf8'))
  expect(pinned('package.json')).toMatchObject({ dependencies: { pnpm: version } })
  const integrity = expect.stringMatching(/^sha512-/) as string
  expect(pinned('package-lock.json')).toMatchObject({
    packages: {
      'node_modules/pnpm': { version, integrity },
      'node_modules/@pnpm/exe.linux-x64': { version, integrity },
      'node_modules/@pnpm/exe.linux-arm64': { version, integrity },
    },
  })
  expect(stage('build').map(([name, rest]) => `${name} ${rest}`)).toEqual(
    expect.arrayContaining(['COPY deploy/images/pnpm/ /pnpm/']),
  )
  expect(only('build', 'RUN')).toMatch(/^npm install --prefix \/pnpm /)
  // With a version, npm would take whatever the registry returns.
  expect(`${source}${launcher}`).not.toMatch(/pnpm@/)
})
