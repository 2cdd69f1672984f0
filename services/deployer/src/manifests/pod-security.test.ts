import { expect, test } from 'vitest'

import { MANIFESTS, podTemplates, render } from '../../test/support/render.ts'
import { FULL_SPEC } from '../../test/support/specs.ts'

test('renders pods that `restricted` admits, with limits and without an API token', () => {
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

test('applies the exception of the agent before the one of its account', () => {
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

test('opens low ports to a user other than root, and only when the agent has one', () => {
  const context = (port: number) =>
    podTemplates(render(FULL_SPEC.replace('port: 8080', `port: ${port}`), 'golden'))[0]?.spec
      ?.securityContext
  expect(context(80)?.sysctls).toEqual([
    { name: 'net.ipv4.ip_unprivileged_port_start', value: '0' },
  ])
  expect(context(8080)?.sysctls).toBeUndefined()
})

test('mounts root file systems read-only when set, with writable /tmp and HOME', () => {
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
