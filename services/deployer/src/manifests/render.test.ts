import { describe, expect, test } from 'vitest'

import {
  CREDENTIALS,
  filledTemplate,
  MANIFESTS,
  objectsOf,
  podTemplates,
  podTemplatesOf,
  PULL,
  render,
} from '../../test/support/render.ts'
import { FULL_SPEC } from '../../test/support/specs.ts'
import { bytes, componentsOf, millicores } from '../domain/footprint.ts'
import type { StatefulSet } from './types.ts'

describe('renderDeployment', () => {
  test('translates every kind of component', async () => {
    const rendered = render(FULL_SPEC, 'golden')
    await expect(`${JSON.stringify(rendered, null, 2)}\n`).toMatchFileSnapshot(
      './golden/full.golden',
    )
  })

  test('gives each component what counts for the account', () => {
    const { 'ingestion-docs': manual, ...counted } = componentsOf(
      filledTemplate(FULL_SPEC, 'golden'),
    )
    expect(manual?.pods).toBe(1)
    const rendered = objectsOf(render(FULL_SPEC, 'golden')).flatMap((object) => {
      const [template] = podTemplatesOf(object)
      const { limits = {} } = template?.spec?.containers[0]?.resources ?? {}
      const { replicas = 1 } = (object as { spec?: { replicas?: number } }).spec ?? {}
      const component = object.metadata.labels?.['app.kubernetes.io/component'] ?? ''
      const [claim] = (object as StatefulSet).spec?.volumeClaimTemplates ?? []
      return template === undefined
        ? []
        : [
            [
              component,
              {
                pods: replicas,
                cpu: millicores(limits['cpu'] ?? ''),
                memory_bytes: bytes(limits['memory'] ?? ''),
                storage_bytes: bytes(claim?.spec?.resources?.requests?.['storage'] ?? ''),
                config_bytes: 0,
                gpus: 0,
              },
            ] as const,
          ]
    })
    expect(Object.fromEntries(rendered)).toEqual(counted)
  })

  test('puts no credential outside Secrets', () => {
    const text = JSON.stringify(
      objectsOf(render(FULL_SPEC, 'golden')).filter(({ kind }) => kind !== 'Secret'),
    )
    for (const value of [...Object.values(CREDENTIALS), 'store-password'])
      expect(text).not.toContain(value)
  })

  test("changes only the agent's pod template with the build", () => {
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
  ])('renders names and labels that Kubernetes accepts: %s', (_what, agent, buildId) => {
    for (const { kind, metadata } of objectsOf(render(FULL_SPEC, agent, buildId))) {
      const limit = kind === 'CronJob' ? 52 : 63
      expect(metadata.name).toMatch(/^[a-z]([a-z0-9-]*[a-z0-9])?$/)
      expect(metadata.name.length).toBeLessThanOrEqual(limit)
      for (const value of Object.values(metadata.labels ?? {})) {
        expect(value).toMatch(/^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/)
      }
    }
  })

  test('renders different names for agents whose names differ only after the limit', () => {
    const names = (agent: string) =>
      objectsOf(render(FULL_SPEC, agent)).map(({ metadata }) => metadata.name)
    const [first, second] = [names(`${'a'.repeat(62)}b`), names(`${'a'.repeat(62)}c`)]
    expect(first.filter((name) => second.includes(name))).toEqual([])
  })

  test('gives only the pods whose images need them the credentials for a registry', () => {
    const rendered = render(FULL_SPEC, 'golden')
    const secrets = objectsOf(rendered).filter(({ kind }) => kind === 'Secret')
    const [{ name } = { name: '' }] = secrets.map(({ metadata }) => metadata)
    expect(secrets).toHaveLength(1)
    for (const { spec } of podTemplates(rendered)) {
      const needs = spec?.containers[0]?.image?.startsWith('registry.example/') === true
      expect(spec?.imagePullSecrets).toEqual(needs ? [{ name }] : undefined)
    }
  })

  test('renewed credentials keep the name of their Secret, and so the pods', () => {
    const renewed = { ...PULL, auths: { 'registry.example': { auth: 'bmV3Om5ldw==' } } }
    const [before, after] = [PULL, renewed].map((pull) =>
      render(FULL_SPEC, 'golden', 'b1', MANIFESTS, pull),
    )
    expect(after?.workloads).toEqual(before?.workloads)
    expect(after?.foundations).not.toEqual(before?.foundations)
  })

  test('pulls images without a digest each time, and the others once', () => {
    const pinned = `registry.example/plain:1@sha256:${'a1'.repeat(32)}`
    const spec = FULL_SPEC.replace('registry.example/plain:1', pinned)
    const policies = podTemplates(render(spec, 'golden')).flatMap(
      ({ spec: pod }) => pod?.containers ?? [],
    )
    expect(policies.length).toBeGreaterThan(3)
    for (const { image, imagePullPolicy } of policies)
      expect(imagePullPolicy).toBe(image === pinned ? 'IfNotPresent' : 'Always')
  })
})
