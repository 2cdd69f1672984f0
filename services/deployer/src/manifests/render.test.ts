import { describe, expect, test } from 'vitest'

import {
  CREDENTIALS,
  MANIFESTS,
  objectsOf,
  podTemplates,
  render,
} from '../../test/support/render.ts'
import { FULL_SPEC } from '../../test/support/specs.ts'
import type { Ingress, NetworkPolicy } from './types.ts'

describe('renderDeployment', () => {
  test('translates every kind of component', async () => {
    const rendered = render(FULL_SPEC, 'golden')
    await expect(`${JSON.stringify(rendered, null, 2)}\n`).toMatchFileSnapshot(
      './golden/full.golden',
    )
  })

  test('shows no credential outside of Secrets', () => {
    const text = JSON.stringify(
      objectsOf(render(FULL_SPEC, 'golden')).filter(({ kind }) => kind !== 'Secret'),
    )
    for (const value of [...Object.values(CREDENTIALS), 'store-password'])
      expect(text).not.toContain(value)
  })

  test('makes pods that Pod Security restricted lets in, with limits and no API token', () => {
    const templates = podTemplates(render(FULL_SPEC, 'golden'))
    expect(templates).toHaveLength(8)
    for (const { spec } of templates) {
      expect(spec?.automountServiceAccountToken).toBe(false)
      expect(spec?.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(spec?.securityContext?.runAsUser).toBeGreaterThan(0)
      for (const container of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
        expect(container.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources?.limits).toMatchObject({
          cpu: expect.any(String),
          memory: expect.any(String),
        })
        expect(container.resources?.requests).toMatchObject({
          cpu: expect.any(String),
          memory: expect.any(String),
        })
      }
    }
  })

  test('makes them what an operator allows the agent, or else its account', () => {
    const exceptions = [
      { account: 'account-1', uid: 2000 },
      { account: 'account-1', agent: 'rooted', level: 'baseline', uid: 0 },
      { account: 'account-2', agent: 'golden', uid: 3000 },
    ] as const
    const agentPod = (agent: string) =>
      podTemplates(
        render(FULL_SPEC, agent, 'b1', { ...MANIFESTS, podSecurityExceptions: exceptions }),
      )[0]?.spec
    expect(agentPod('golden')?.securityContext).toMatchObject({
      runAsUser: 2000,
      fsGroup: 2000,
      runAsNonRoot: true,
    })
    const rooted = agentPod('rooted')
    expect(rooted?.securityContext).toMatchObject({ runAsUser: 0, runAsNonRoot: false })
    expect(rooted?.containers[0]?.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'], add: expect.arrayContaining(['CHOWN']) },
    })
  })

  test('lets who is not root listen on low ports, and only there', () => {
    const context = (port: number) =>
      podTemplates(render(FULL_SPEC.replace('port: 8080', `port: ${port}`), 'golden'))[0]?.spec
        ?.securityContext
    expect(context(80)?.sysctls).toEqual([
      { name: 'net.ipv4.ip_unprivileged_port_start', value: '0' },
    ])
    expect(context(8080)?.sysctls).toBeUndefined()
  })

  test('restarts only the agent for another build', () => {
    const hashes = (buildId: string) =>
      podTemplates(render(FULL_SPEC, 'golden', buildId)).map(
        ({ metadata }) =>
          [
            metadata?.labels?.['app.kubernetes.io/component'],
            metadata?.labels?.['slipway.dev/template-hash'],
          ] as const,
      )
    const after = new Map(hashes('b2'))
    const changed = hashes('b1').filter(([component, hash]) => after.get(component) !== hash)
    expect(changed.map(([component]) => component)).toEqual(['agent'])
  })

  test.each([
    ['a digit first', '9lives', 'b1'],
    ['the longest name', 'a'.repeat(63), 'b1'],
    ['dots and underscores', 'my.agent_v2', 'b1'],
    ['the longest build id', 'plain', `B${'_.x-'.repeat(31)}end`],
  ])('makes names and labels that Kubernetes takes: %s', (_what, agent, buildId) => {
    for (const { kind, metadata } of objectsOf(render(FULL_SPEC, agent, buildId))) {
      const limit = kind === 'CronJob' ? 52 : 63
      expect(metadata.name).toMatch(/^[a-z]([a-z0-9-]*[a-z0-9])?$/)
      expect(metadata.name.length).toBeLessThanOrEqual(limit)
      for (const value of Object.values(metadata.labels ?? {})) {
        expect(value).toMatch(/^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/)
      }
    }
  })

  test('keeps names apart that differ only past the cut', () => {
    const names = (agent: string) =>
      objectsOf(render(FULL_SPEC, agent)).map(({ metadata }) => metadata.name)
    const [first, second] = [names(`${'a'.repeat(62)}b`), names(`${'a'.repeat(62)}c`)]
    expect(first.filter((name) => second.includes(name))).toEqual([])
  })

  test('writes Ingresses as the operator has them', () => {
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

  test('lets no container write to its image where the operator says so, but to what it needs', () => {
    const templates = podTemplates(
      render(FULL_SPEC, 'golden', 'b1', { ...MANIFESTS, readOnlyRootFilesystem: true }),
    )
    for (const container of templates.flatMap(({ spec }) => spec?.containers ?? [])) {
      expect(container.securityContext?.readOnlyRootFilesystem).toBe(true)
      expect(container.volumeMounts?.map(({ mountPath }) => mountPath)).toEqual(
        expect.arrayContaining(['/tmp', '/home/slipway']),
      )
    }
  })

  test('needs no pull secret, and knows no peers it is not told of', () => {
    const network = { ...MANIFESTS.network, dns: [], ingest: [], ingressController: [] }
    const objects = objectsOf(
      render(FULL_SPEC, 'golden', 'b1', { ...MANIFESTS, pullSecret: undefined, network }),
    )
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([])
    expect(JSON.stringify(objects)).not.toContain('imagePullSecrets')
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy') as NetworkPolicy[]
    expect(policies.map(({ metadata: { name } }) => name)).toEqual(['golden-agent-default'])
    expect(policies[0]?.spec?.egress).toHaveLength(2)
  })

  test('exposes nothing without a domain', () => {
    const manifests = { ...MANIFESTS, ingress: { ...MANIFESTS.ingress, domain: undefined } }
    const rendered = render(FULL_SPEC, 'golden', 'b1', manifests)
    expect(objectsOf(rendered).map(({ kind }) => kind)).not.toContain('Ingress')
    expect(rendered.endpoints.map(({ type }) => type)).toEqual(['http'])
  })
})
