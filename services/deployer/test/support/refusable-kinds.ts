import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { RevisionState } from '@slipway/proto/slipway/deployer/v1/revision'
import { waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { keyOf } from '../../src/domain/kubernetes-object.ts'
import { objectPath } from '../../src/kubernetes/paths.ts'
import { agentOf, CREDENTIALS, listIn } from './agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './deployer.ts'
import { FULL_SPEC } from './specs.ts'

/** Every kind of object that a deployment has, with its name in URLs and its API group. */
export const KINDS = [
  ['ConfigMap', 'configmaps', ''],
  ['CronJob', 'cronjobs', 'batch'],
  ['Deployment', 'deployments', 'apps'],
  ['Ingress', 'ingresses', 'networking.k8s.io'],
  ['Job', 'jobs', 'batch'],
  ['NetworkPolicy', 'networkpolicies', 'networking.k8s.io'],
  ['Secret', 'secrets', ''],
  ['Service', 'services', ''],
  ['ServiceAccount', 'serviceaccounts', ''],
  ['StatefulSet', 'statefulsets', 'apps'],
] as const

/** A kind that is to be refused, and where. */
export interface RefusedKind {
  readonly kind: (typeof KINDS)[number][0]
  readonly resource: string
  readonly group: string
  readonly namespace: string
}

/** What is on the stage. */
export interface Stage {
  readonly deployer: TestDeployer
  readonly owner: Person
}

/**
 * Has the real API server refuse all objects of one kind in one namespace, until the function that
 * it gives is called.
 */
export type Hindrance = (stage: Stage, refused: RefusedKind) => Promise<() => Promise<void>>

/** A deployer that deploys components of every kind, and somebody who uses it. */
export async function startStage(env: Record<string, string> = {}): Promise<Stage> {
  const deployer = await startTestDeployer({
    MESSAGING_IMAGE: 'registry.example/messaging:1',
    MESSAGING_ADAPTERS: 'web,slack',
    INGRESS_DOMAIN: 'agents.example',
    ...env,
  })
  return { deployer, owner: await deployer.signIn('owner') }
}

/**
 * Waits until the API server refuses a change of an object of that kind, or doesn't answer it soon,
 * and that is the hindrance's doing and not that of a busy machine; changes nothing.
 */
export async function untilHindered(
  { deployer: { cluster } }: Stage,
  { kind, namespace }: RefusedKind,
  isItsDoing: (error: unknown) => boolean,
): Promise<void> {
  const [object] = await listIn(cluster, kind, namespace)
  if (object === undefined) throw new Error(`there is no ${kind} to try it with`)
  await waitFor(
    async () => {
      try {
        await cluster.send({
          method: 'PATCH',
          path: `${objectPath(keyOf(object))}?dryRun=All`,
          contentType: 'application/merge-patch+json',
          body: { metadata: { labels: { 'test.slipway.dev/probe': 'yes' } } },
          timeoutMs: 2_000,
        })
        return false
      } catch (error) {
        return isItsDoing(error)
      }
    },
    { what: `changes of a ${kind} to be refused` },
  )
}

const ALL = { ...CREDENTIALS, OPENAI_API_KEY: 'openai-secret-value' }
const CHANGED = { API_TOKEN: 'another-secret-value' }

const choice = (build: string) => ({
  schedules: { schedules: { nightly: '0 3 * * *' } },
  interfaces: { names: ['web'] },
  overridesJson: JSON.stringify({
    'agent.environment.BUILD': build,
    'tools.calculator.environment.BUILD': build,
  }),
})

/**
 * Tests, kind by kind, that a refused object is named with its reason and nothing secret, that the
 * rest is applied, and that the next deploy heals it.
 */
export function testEachKind(
  stageOf: () => Stage,
  hinder: Hindrance,
  message: RegExp,
  {
    kinds,
    prefix = 'refused',
  }: { readonly kinds?: readonly string[]; readonly prefix?: string } = {},
): void {
  const chosen = KINDS.filter(([kind]) => kinds?.includes(kind) ?? true)
  test.each(chosen)('%s', async (kind, resource, group) => {
    const { deployer, owner } = stageOf()
    const agent = agentOf(deployer, owner, `${prefix}-${kind.toLowerCase()}`)
    await agent.register('b1', FULL_SPEC)
    const { k8sNamespace: namespace } = await agent.deploy(ALL, choice('b1'))
    const given = kind === 'Secret' ? { ...ALL, ...CHANGED } : CHANGED
    const heal = await hinder({ deployer, owner }, { kind, resource, group, namespace })
    let partial
    try {
      await agent.register('b2', FULL_SPEC)
      partial = await waitFor(
        async () => {
          const answer = await agent.deploy(given, choice('b2'))
          return answer.status === DeployStatus.PARTIAL ? answer : undefined
        },
        { what: 'the refusal' },
      )
    } finally {
      await heal()
    }
    const failed = partial.resources.filter(({ status }) => status === ResourceStatus.FAILED)
    expect(new Set(failed.map((each) => each.kind))).toEqual(new Set([kind]))
    expect(partial.errors).toEqual(
      failed.map(({ name, message: why }) => `${kind}/${name}: ${why}`).toSorted(),
    )
    for (const error of partial.errors) {
      expect(error).toMatch(message)
      expect(error).not.toContain(CHANGED.API_TOKEN)
      expect(error).not.toContain(Buffer.from(CHANGED.API_TOKEN).toString('base64'))
    }
    expect((await agent.revisions())[0]).toMatchObject({
      state: RevisionState.PARTIAL,
      errors: partial.errors,
    })

    // Only a Secret takes something with it that the next deploy must bring again.
    const without = await outcomeOf(agent.deploy({}, choice('b2')))
    expect(without).toBe(kind === 'Secret' ? 'credentials_lost' : 'won')
    const healed = await waitFor(
      async () => {
        const answer = await agent.deploy(kind === 'Secret' ? given : {}, choice('b2'))
        return answer.status === DeployStatus.SUCCESS ? answer : undefined
      },
      { what: 'the next deploy to heal it' },
    )
    expect(healed.revision).toBe(partial.revision)
    expect((await agent.revisions())[0]).toMatchObject({ state: RevisionState.APPLIED, errors: [] })
  })
}
