import type { ServerResponse } from 'node:http'
import { lineProxy } from '@slipway/testing'
import { freePorts } from '@slipway/testing/free-ports'
import { fromStack } from '@slipway/testing/from-stack'
import { describe, expect, test } from 'vitest'
import { pushImage } from '../src/parts.ts'
import { failureOf } from './support/failure-of.ts'
import { guardRegistry } from './support/guarded-registry.ts'
import { auth, dockerConfig, randomImage, scratch } from './support/images.ts'

const registry = fromStack('SLIPWAY_REGISTRY')

describe('a registry with limits', () => {
  const big = 20 << 20

  test('gets a blob in parts if it refuses large requests', async () => {
    await using place = await scratch()
    await using guarded = await guardRegistry(registry, {
      intercept({ method, headers }, answer) {
        const isTooLarge = method === 'PUT' && Number(headers['content-length']) > 16 << 20
        if (isTooLarge) answer.writeHead(413, { connection: 'close' }).end()
        return isTooLarge
      },
    })
    const image = await randomImage(place.folder, big)
    const done: number[] = []
    await pushImage(guarded.address, 'large', '1', image, {
      onUpload: ({ doneBytes }) => done.push(doneBytes),
    })
    expect(guarded.requests.filter((each) => each.startsWith('PATCH'))).toHaveLength(2)
    const total = image.config.size + (image.layers[0]?.size ?? 0)
    expect(done.at(-1)).toBe(total)
    const stored = await fetch(`http://${registry}/v2/large/blobs/${image.layers[0]?.digest}`)
    expect((await stored.arrayBuffer()).byteLength).toBe(image.layers[0]?.size)
  })

  test('that is full is reported as that', async () => {
    await using place = await scratch()
    await using guarded = await guardRegistry(registry, {
      intercept({ method }, answer) {
        const errors = [{ code: 'DENIED', message: 'quota exceeded:\u001b[31m 5 of 5 GB used' }]
        if (method === 'POST') answer.writeHead(403).end(JSON.stringify({ errors }))
        return method === 'POST'
      },
    })
    const image = await randomImage(place.folder, 10)
    const failure = await failureOf(pushImage(guarded.address, 'full', '1', image))
    expect(failure).toMatchObject({ problem: 'limit', status: 403 })
    expect(failure.message).toContain('403 DENIED: quota exceeded: [31m 5 of 5 GB used; wait')
  })

  test('is asked again when it is busy', async () => {
    await using place = await scratch()
    let refusals = 0
    await using guarded = await guardRegistry(registry, {
      intercept(_incoming, answer) {
        if (refusals >= 2) return false
        refusals += 1
        answer.writeHead(429, { 'retry-after': '0' }).end()
        return true
      },
    })
    const image = await randomImage(place.folder, 10)
    expect(await pushImage(guarded.address, 'busy', '1', image)).toMatchObject({ pushed: true })
    expect(refusals).toBe(2)
  })

  test('that has no such repository, and makes none, is reported', async () => {
    await using place = await scratch()
    await using guarded = await guardRegistry(registry, {
      intercept({ method }, answer) {
        if (method === 'POST') answer.writeHead(404).end('{"errors":[{"code":"NAME_UNKNOWN"}]}')
        return method === 'POST'
      },
    })
    const image = await randomImage(place.folder, 10)
    const failure = await failureOf(pushImage(guarded.address, 'team/new', '1', image))
    expect(failure).toMatchObject({ problem: 'not-found', status: 404 })
    expect(failure.remedy).toContain(`${guarded.address}/team/new; some registries need`)
  })
})

test('a login stays at its registry when an upload is elsewhere', async () => {
  await using place = await scratch()
  const seen: (string | undefined)[] = []
  await using storage = await guardRegistry(registry, {
    intercept({ headers }) {
      seen.push(headers.authorization)
      return false
    },
  })
  const users = { writer: 'correct horse' }
  await using guarded = await guardRegistry(registry, {
    scheme: 'basic',
    users,
    intercept({ method, url = '' }, answer) {
      const isUpload = method === 'POST'
      // As registries do that keep their blobs in another service.
      if (isUpload) void openElsewhere(storage.address, url, answer)
      return isUpload
    },
  })
  const auths = { [guarded.address]: auth('writer', users.writer) }
  const environment = await dockerConfig(place.folder, { auths })
  const image = await randomImage(place.folder, 10)
  await pushImage(guarded.address, 'elsewhere', '1', image, { environment })
  expect(seen).toEqual([undefined, undefined, undefined, undefined])
})

async function openElsewhere(address: string, url: string, answer: ServerResponse): Promise<void> {
  const opened = await fetch(`http://${address}${url}`, { method: 'POST' })
  const location = new URL(opened.headers.get('location') ?? '', `http://${address}`)
  answer.writeHead(202, { location: location.href }).end()
}

describe('a connection', () => {
  test('that is cut in the middle of an upload is made again', async () => {
    await using place = await scratch()
    await using proxy = await lineProxy(`http://${registry}`)
    const image = await randomImage(place.folder, 4 << 20)
    const { host } = new URL(proxy.url)
    let cuts = 0
    const { pushed } = await pushImage(host, 'cut', '1', image, {
      onUpload({ doneBytes }) {
        if (doneBytes < 1 << 20 || cuts >= 2) return
        cuts += 1
        proxy.cut()
      },
    })
    expect(pushed).toBe(true)
    expect(cuts).toBe(2)
    const stored = await fetch(`http://${registry}/v2/cut/blobs/${image.layers[0]?.digest}`)
    expect((await stored.arrayBuffer()).byteLength).toBe(image.layers[0]?.size)
  })

  test('to a place without a registry ends with what to do', async () => {
    await using place = await scratch()
    const image = await randomImage(place.folder, 10)
    const [port] = await freePorts(1)
    const failure = await failureOf(pushImage(`127.0.0.1:${port}`, 'a', 'b', image))
    expect(failure).toMatchObject({ problem: 'unreachable' })
    expect(failure.message).toContain('(ECONNREFUSED); check that a registry runs there')
    const plain = await failureOf(pushImage(`https://${registry}`, 'a', 'b', image))
    expect(plain.remedy).toContain('it speaks plain HTTP; pass --insecure')
  })

  test('ends with the reason of the signal, also while nothing moves', async () => {
    await using place = await scratch()
    await using proxy = await lineProxy(`http://${registry}`)
    const image = await randomImage(place.folder, 8 << 20)
    const aborted = new AbortController()
    const push = pushImage(new URL(proxy.url).host, 'aborted', '1', image, {
      signal: aborted.signal,
      onUpload({ doneBytes }) {
        if (doneBytes === 0) return
        proxy.freeze()
        aborted.abort(new Error('Ctrl-C'))
      },
    })
    await expect(push).rejects.toThrow('Ctrl-C')
    const stored = await fetch(`http://${registry}/v2/aborted/manifests/1`, { method: 'HEAD' })
    expect(stored.status).toBe(404)
  })

  test('reports nothing after its end, because a terminal then shows what is next', async () => {
    await using place = await scratch()
    let takesAll = true
    await using guarded = await guardRegistry(registry, {
      intercept(incoming) {
        const isSilent = takesAll && incoming.method === 'PUT'
        if (isSilent) incoming.resume()
        return isSilent
      },
    })
    const image = await randomImage(place.folder, 20 << 20, 20 << 20, 8 << 20)
    const aborted = new AbortController()
    const reports: number[] = []
    const push = pushImage(guarded.address, 'ended', '1', image, {
      signal: aborted.signal,
      onUpload({ doneBytes }) {
        reports.push(doneBytes)
        if (doneBytes > 6 << 20) setImmediate(() => aborted.abort(new Error('Ctrl-C')))
      },
    })
    await expect(push).rejects.toThrow('Ctrl-C')
    const { length } = reports
    takesAll = false
    expect(await pushImage(guarded.address, 'ended', '1', image)).toMatchObject({ pushed: true })
    expect(reports).toHaveLength(length)
  })
})
