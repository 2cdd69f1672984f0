import { expect, test } from 'vitest'

import { MANIFESTS, objectsOf, render } from '../../test/support/render.ts'
import { FULL_SPEC } from '../../test/support/specs.ts'
import type { Ingress } from './types.ts'

test("uses the operator's class, annotations and TLS Secret", () => {
  const ingressOf = (ingress: object) =>
    objectsOf(
      render(FULL_SPEC, 'golden', 'b1', {
        ...MANIFESTS,
        ingress: { ...MANIFESTS.ingress, ...ingress },
      }),
    ).find(({ kind }) => kind === 'Ingress') as Ingress | undefined
  const own = ingressOf({ tlsSecret: 'wildcard', className: undefined, annotations: {} })
  expect(own?.spec).toMatchObject({ tls: [{ secretName: 'wildcard' }] })
  expect(own?.spec).not.toHaveProperty('ingressClassName')
  expect(own?.metadata.annotations).toEqual({ 'slipway.dev/build-id': 'b1' })
  expect(ingressOf({ scheme: 'http' })?.spec).not.toHaveProperty('tls')
})

test('exposes nothing without a domain', () => {
  const manifests = { ...MANIFESTS, ingress: { ...MANIFESTS.ingress, domain: undefined } }
  const rendered = render(FULL_SPEC, 'golden', 'b1', manifests)
  expect(objectsOf(rendered).map(({ kind }) => kind)).not.toContain('Ingress')
  expect(rendered.endpoints.map(({ type }) => type)).toEqual(['http'])
})
