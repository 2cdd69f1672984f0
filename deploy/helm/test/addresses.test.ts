import { describe, expect, test } from 'vitest'

import { podsOf, type ChartObject } from './support/objects.ts'
import { example, RELEASE, render } from './support/render.ts'

interface AddressFields {
  readonly ipFamilyPolicy?: string
  readonly ipFamilies?: readonly string[]
}

/** The variables with addresses at which pods listen. */
const LISTENERS = /^(GRPC|CONNECT|OPS|HTTP|LISTEN)_ADDRESS$|^OTLP_(GRPC_)?ADDRESSES$/

function servicesIn(objects: readonly ChartObject[]): AddressFields[] {
  return objects.filter(({ kind }) => kind === 'Service').map(({ spec }) => spec as AddressFields)
}

describe.each([
  ['ipv6-only', 'SingleStack', ['IPv6'], 14],
  ['dual-stack', 'RequireDualStack', ['IPv6', 'IPv4'], 13],
])('in a cluster of the values %s', (name, ipFamilyPolicy, ipFamilies, listeners) => {
  test('every Service has the addresses, and every pod listens at them', async () => {
    const objects = await render([example(name)])
    const services = servicesIn(objects)
    expect(services).not.toEqual([])
    for (const service of services) expect(service).toMatchObject({ ipFamilyPolicy, ipFamilies })
    const addresses = podsOf(objects, RELEASE.namespace)
      .flatMap(({ containers }) => containers)
      .flatMap(({ env }) => env ?? [])
      .filter((variable) => LISTENERS.test(variable.name))
    expect(addresses).toHaveLength(listeners)
    for (const { value } of addresses) expect(value).toMatch(/^\[::\]:\d+$/)
  })
})
