import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromStack } from '@slipway/testing/from-stack'
import { describe, expect, test } from 'vitest'
import { pushImage } from '../src/parts.ts'
import { failureOf } from './support/failure-of.ts'
import { guardRegistry } from './support/guarded-registry.ts'
import { auth, dockerConfig, randomImage, scratch } from './support/images.ts'

// Images are pushed to the stack's registry, through a server that guards it.

const registry = fromStack('SLIPWAY_REGISTRY')
const users = { writer: 'correct horse', reader: 'only looks' }

describe.each(['basic', 'bearer'] as const)('a registry that wants %s', (scheme) => {
  test('gets an image with the login of docker, and nothing the second time', async () => {
    await using place = await scratch()
    await using guarded = await guardRegistry(registry, { scheme, users })
    const environment = await dockerConfig(place.folder, {
      auths: { [guarded.address]: auth('writer', users.writer) },
    })
    const image = await randomImage(place.folder, 1000, 2000)
    const push = () => pushImage(guarded.address, 'team/pushed', scheme, image, { environment })
    expect(await push()).toEqual({ digest: image.manifest.digest, pushed: true })
    const stored = await fetch(`http://${registry}/v2/team/pushed/manifests/${scheme}`)
    expect(stored.headers.get('docker-content-digest')).toBe(image.manifest.digest)
    const before = guarded.requests.length
    expect(await push()).toEqual({ digest: image.manifest.digest, pushed: false })
    expect(guarded.requests.slice(before).filter((each) => /^(POST|PUT)/.test(each))).toEqual([])
  })

  test('is reported with what to do if there is no login, or a wrong one', async () => {
    await using place = await scratch()
    await using guarded = await guardRegistry(registry, { scheme, users })
    const image = await randomImage(place.folder, 10)
    const push = async (auths: unknown) => {
      const environment = await dockerConfig(place.folder, { auths })
      return await failureOf(pushImage(guarded.address, 'refused', '1', image, { environment }))
    }
    const none = await push({ 'other.example': auth('writer', users.writer) })
    expect(none).toMatchObject({ problem: 'unauthorized', status: 401 })
    expect(none.remedy).toContain(`there are no credentials for it; run \`docker login`)
    const wrong = await push({ [guarded.address]: auth('writer', 'guessed') })
    expect(wrong).toMatchObject({ problem: 'unauthorized', status: 401 })
    expect(wrong.remedy).toContain('the credentials of writer are from')
    expect(wrong.message).not.toContain('guessed')
  })

  test('may deny a user to write', async () => {
    await using place = await scratch()
    await using guarded = await guardRegistry(registry, { scheme, users, readers: ['reader'] })
    const environment = await dockerConfig(place.folder, {
      auths: { [guarded.address]: auth('reader', users.reader) },
    })
    const image = await randomImage(place.folder, 10)
    const push = pushImage(guarded.address, 'denied', '1', image, { environment })
    const failure = await failureOf(push)
    expect(failure).toMatchObject({ problem: 'denied', status: 403 })
    expect(failure.message).toContain('403 DENIED: no right to push; reader has no such access')
  })
})

describe('access tokens', () => {
  test.each([
    ['mounts it', 201],
    ['starts an upload', 202],
  ] as const)('allow a layer of another repository to a registry that %s', async (_, status) => {
    await using place = await scratch()
    const isFrom = (url = ''): boolean => url.includes('mount=')
    await using guarded = await guardRegistry(registry, {
      scheme: 'bearer',
      users,
      // The stack's registry has all blobs in all repositories; others don't.
      intercept({ method, url = '' }, answer) {
        const isUnknown = method === 'HEAD' && url.startsWith('/v2/mounted/two/blobs')
        if (isUnknown) answer.writeHead(404).end()
        else if (status === 201 && isFrom(url)) answer.writeHead(201).end()
        return isUnknown || (status === 201 && isFrom(url))
      },
    })
    const environment = await dockerConfig(place.folder, {
      auths: { [guarded.address]: auth('writer', users.writer) },
    })
    const image = await randomImage(place.folder, 10)
    const options = { environment, mounts: new Map<string, string>() }
    await pushImage(guarded.address, 'mounted/one', String(status), image, options)
    await pushImage(guarded.address, 'mounted/two', String(status), image, options)
    const both = ['repository:mounted/two:pull,push', 'repository:mounted/one:pull']
    expect(guarded.scopes).toContainEqual(both)
    expect(guarded.requests.filter(isFrom)).toHaveLength(2)
    const uploads = guarded.requests.filter((each) => each.startsWith('PUT /v2/mounted/two/blobs'))
    expect(uploads).toHaveLength(status === 201 ? 0 : 2)
  })

  test('are replaced when they end in the middle of a push', async () => {
    await using place = await scratch()
    const guard = { scheme: 'bearer', users, usesPerToken: 5 } as const
    await using guarded = await guardRegistry(registry, guard)
    const environment = await dockerConfig(place.folder, {
      auths: { [guarded.address]: auth('writer', users.writer) },
    })
    const image = await randomImage(place.folder, 10, 20, 30)
    const { pushed } = await pushImage(guarded.address, 'renewed', '1', image, { environment })
    expect(pushed).toBe(true)
    expect(guarded.scopes.length).toBeGreaterThan(1)
  })

  test('come from an identity token, as after a login with a browser', async () => {
    await using place = await scratch()
    await using guarded = await guardRegistry(registry, { scheme: 'bearer', users })
    const environment = await dockerConfig(place.folder, {
      auths: { [guarded.address]: { identitytoken: users.writer } },
    })
    const image = await randomImage(place.folder, 10)
    const { pushed } = await pushImage(guarded.address, 'identity', '1', image, { environment })
    expect(pushed).toBe(true)
  })
})

describe('a credential helper', () => {
  async function helper(folder: string, name: string, script: string): Promise<void> {
    const file = join(folder, `docker-credential-${name}`)
    await writeFile(file, `#!/bin/sh\nread server\n${script}\n`)
    await chmod(file, 0o755)
  }

  test('is asked for the login of its registry, or of all', async () => {
    await using place = await scratch()
    await using guarded = await guardRegistry(registry, { scheme: 'basic', users })
    const image = await randomImage(place.folder, 10)
    const answer = `{"Username":"writer","Secret":"${users.writer}"}`
    await helper(
      place.folder,
      'ours',
      `[ "$server" = ${guarded.address} ] && echo '${answer}' || exit 1`,
    )
    for (const [tag, config] of Object.entries({
      one: { credHelpers: { [guarded.address]: 'ours' } },
      all: { credsStore: 'ours', auths: { [guarded.address]: {} } },
    })) {
      const environment = await dockerConfig(place.folder, config)
      environment['PATH'] = `${place.folder}:${environment['PATH'] ?? ''}`
      const push = pushImage(guarded.address, 'helped', tag, image, { environment })
      expect(await push).toMatchObject({ pushed: true })
    }
  })

  test('that is missing or fails is reported, without its secret', async () => {
    await using place = await scratch()
    await using guarded = await guardRegistry(registry, { scheme: 'basic', users })
    const image = await randomImage(place.folder, 10)
    const push = async (name: string) => {
      const environment = await dockerConfig(place.folder, { credsStore: name })
      environment['PATH'] = `${place.folder}:${environment['PATH'] ?? ''}`
      return pushImage(guarded.address, 'helpless', '1', image, { environment })
    }
    await expect(push('absent')).rejects.toThrow(
      'docker-credential-absent, which ' + join(place.folder, 'config.json') + ' names, is not',
    )
    await helper(place.folder, 'broken', 'echo secret-in-stdout; exit 0')
    await expect(push('broken')).rejects.toThrow('returned something that is not JSON')
    await helper(place.folder, 'locked', 'echo the keychain is locked >&2; exit 1')
    await expect(push('locked')).rejects.toThrow('the keychain is locked')
    await helper(place.folder, 'empty', 'echo credentials not found in native keychain; exit 1')
    await expect(push('empty')).rejects.toThrow('there are no credentials for it')
  })
})
