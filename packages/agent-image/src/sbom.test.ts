import { expect, test } from 'vitest'
import { npmComponent, relate, sbom, type Relations } from './sbom.ts'

const manifest = { name: '@scope/name', version: '1.0.0', license: 'MIT' }

test('is the same for the same components in another order, without duplicates', () => {
  const subject = npmComponent({ ...manifest, name: 'service' })
  const [a, b] = ['a', 'b'].map((name) => npmComponent({ ...manifest, name }))
  if (!a || !b) throw new Error('there are two components')
  const document = sbom(subject, [subject, b, a, b])
  expect(document).toBe(sbom(subject, [a, b]))
  expect(JSON.parse(document)).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { type: 'application', name: 'service' } },
    components: [{ name: 'a' }, { name: 'b' }],
    dependencies: [],
  })
})

test('says which component needs which others', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => npmComponent({ ...manifest, name }))
  if (!a || !b || !c) throw new Error('there are three components')
  const relations: Relations = new Map()
  for (const needed of [c, b, c]) relate(relations, a, needed)
  expect(JSON.parse(sbom(a, [b, c], relations))).toMatchObject({
    dependencies: [{ ref: a['bom-ref'], dependsOn: [b['bom-ref'], c['bom-ref']] }],
  })
})

test('names a package with a scope as scanners do', () => {
  expect(npmComponent(manifest)).toMatchObject({
    group: '@scope',
    name: 'name',
    purl: 'pkg:npm/%40scope/name@1.0.0',
  })
})

test.each([
  [
    'MIT OR (Apache-2.0 AND BSD-3-Clause)',
    [{ expression: 'MIT OR (Apache-2.0 AND BSD-3-Clause)' }],
  ],
  [{ type: 'ISC', url: 'x' }, [{ expression: 'ISC' }]],
  ['SEE LICENSE IN LICENSE.md', [{ license: { name: 'SEE LICENSE IN LICENSE.md' } }]],
  [undefined, undefined],
])('reads the license %o', (license, licenses) => {
  expect(npmComponent({ ...manifest, license }).licenses).toEqual(licenses)
})
