import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromStack } from '@slipway/testing/from-stack'
import { expect, test } from 'vitest'
import { recordBaseImages } from '../install/base-image.ts'

const registry = fromStack('SLIPWAY_REGISTRY')
const manifestType = 'application/vnd.oci.image.index.v1+json'
const dockerfile = readFileSync(join(import.meta.dirname, '../../../Dockerfile'), 'utf8')
const image = `${registry}/tests/base-image:24-slim`

async function push(annotation: string): Promise<string> {
  const annotations = { annotation }
  const body = { schemaVersion: 2, mediaType: manifestType, manifests: [], annotations }
  const response = await fetch(`http://${registry}/v2/tests/base-image/manifests/24-slim`, {
    method: 'PUT',
    headers: { 'content-type': manifestType },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(201)
  return response.headers.get('docker-content-digest') ?? ''
}

const bases = (text: string) => text.match(/^ARG B\w+_IMAGE=.*$/gm)

test('names both base images by the digest that their registry returns', async () => {
  const first = await push('first')
  const recorded = await recordBaseImages(dockerfile, { image })
  expect(bases(recorded)).toEqual([
    `ARG BASE_IMAGE=${image}@${first}`,
    `ARG BUILD_IMAGE=${image}@${first}`,
  ])
  const withoutBases = (text: string) => text.replaceAll(/^ARG B\w+_IMAGE=.*$/gm, '')
  expect(withoutBases(recorded)).toBe(withoutBases(dockerfile))

  const second = await push('second')
  // Without a name, the tags in the Dockerfile are looked up again.
  expect(bases(await recordBaseImages(recorded))).toEqual([
    `ARG BASE_IMAGE=${image}@${second}`,
    `ARG BUILD_IMAGE=${image}@${second}`,
  ])
})

test('changes nothing if the registry does not have the image', async () => {
  const missing = `${registry}/tests/no-base-image:1`
  await expect(recordBaseImages(dockerfile, { image: missing })).rejects.toThrow('404')
})
