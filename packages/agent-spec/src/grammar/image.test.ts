import { describe, expect, test } from 'vitest'

import { imageHost, imageProblem, isImageDigest, parseImage, pinnedImage } from './image.ts'

const DIGEST = `sha256:${'a1'.repeat(32)}`

describe('image references', () => {
  test.each([
    ['redis', 'docker.io', 'library/redis', undefined, undefined],
    ['redis:7-alpine', 'docker.io', 'library/redis', '7-alpine', undefined],
    ['acme/bot', 'docker.io', 'acme/bot', undefined, undefined],
    ['index.docker.io/acme/bot:1', 'docker.io', 'acme/bot', '1', undefined],
    ['registry-1.docker.io/acme/bot', 'docker.io', 'acme/bot', undefined, undefined],
    ['Registry.Example/a/b:c', 'registry.example', 'a/b', 'c', undefined],
    ['registry.example:443/a', 'registry.example', 'a', undefined, undefined],
    ['registry.example:5000/a', 'registry.example:5000', 'a', undefined, undefined],
    ['localhost/a', 'localhost', 'a', undefined, undefined],
    ['[::1]:5000/a', '[::1]:5000', 'a', undefined, undefined],
    ['[0:0::0001]:443/a', '[::1]', 'a', undefined, undefined],
    ['127.1:65535/a', '127.0.0.1:65535', 'a', undefined, undefined],
    ['docker.io:443/a', 'docker.io', 'library/a', undefined, undefined],
    ['INDEX.docker.io/a', 'docker.io', 'library/a', undefined, undefined],
    ['a.b:99999', 'docker.io', 'library/a.b', '99999', undefined],
    [`a.b/c:d@${DIGEST}`, 'a.b', 'c', 'd', DIGEST],
    [`a.b/c@${DIGEST}`, 'a.b', 'c', undefined, DIGEST],
  ])('parses %s', (image, registry, repository, tag, digest) => {
    expect(parseImage(image)).toEqual({ registry, repository, tag, digest })
    expect(imageProblem(image)).toBeUndefined()
  })

  test.each([
    '',
    'two words',
    '-x',
    'a\nb',
    'https://a.b/c',
    'registry.example./a',
    'registry.example/Upper',
    'registry.example/',
    'registry.example/a//b',
    'registry.example/../a',
    'user@registry.example/a',
    'a.b/c:',
    'a.b/c:d:e',
    'a.b/c@sha256:abc',
    `a.b/c@${DIGEST}@${DIGEST}`,
    `a.b/c@${DIGEST.toUpperCase()}`,
    'x'.repeat(513),
    'x'.repeat(256),
    'a1'.repeat(32),
    'a.b:0443/c',
    'a.b:0/c',
    'a.b:65536/c',
    'a.b:99999/c',
    'a.b:443443443443/c',
    'a.256/c',
    '[:::1]/c',
    '[fe80]/c',
  ])('rejects %j', (image) => {
    expect(imageProblem(image)).toBeTruthy()
  })

  test('says what is wrong with a port', () => {
    const rule = 'must be 1 to 65535, without leading zeros'
    expect(imageProblem('a.b:0443/c')).toBe(`not a valid image reference: the port 0443 ${rule}`)
    expect(imageProblem('a.b:99999/c')).toContain(`the port 99999 ${rule}`)
    expect(imageProblem('a_b:99999/c')).toBe('not a valid image reference')
  })

  test('adds a digest, and replaces one', () => {
    expect(pinnedImage('a.b/c:d', DIGEST)).toBe(`a.b/c:d@${DIGEST}`)
    expect(pinnedImage(`a.b/c@sha256:${'0'.repeat(64)}`, DIGEST)).toBe(`a.b/c@${DIGEST}`)
  })

  test('knows digests', () => {
    expect(isImageDigest(DIGEST)).toBe(true)
    expect(isImageDigest(`sha512:${'0'.repeat(128)}`)).toBe(true)
    expect(isImageDigest('sha256:')).toBe(false)
    expect(isImageDigest(`md5:${'0'.repeat(32)}`)).toBe(false)
  })
})

test.each([
  ['redis', undefined],
  ['redis:7-alpine', undefined],
  ['team/redis:7', undefined],
  ['/redis', undefined],
  ['registry.example.com/team/redis:7', 'registry.example.com'],
  ['registry:5000/redis', 'registry:5000'],
  ['localhost/redis', 'localhost'],
  ['Registry/redis', 'Registry'],
  ['10.0.0.5:6443/x', '10.0.0.5:6443'],
  ['[fd00::1]:5000/x', '[fd00::1]:5000'],
  ['ghcr.io/x@sha256:0123', 'ghcr.io'],
])('reads the host of %s as nodes do', (image, host) => {
  expect(imageHost(image)).toBe(host)
})
