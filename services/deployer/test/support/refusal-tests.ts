import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { RevisionState } from '@slipway/proto/slipway/deployer/v1/revision'
import { waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { agentOf, CREDENTIALS } from './agents.ts'
import { outcomeOf } from './deployer.ts'
import type { FullDeployer } from './full-deployer.ts'
import { KINDS, type Obstruction } from './refusable-kinds.ts'
import { FULL_SPEC } from './specs.ts'

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

/** Options of testEachKind. */
export interface RefusalOptions {
  /** The kinds to test; all by default. */
  readonly kinds?: readonly string[]
  /** Prefix of the names of the agents. */
  readonly prefix?: string
}

/**
 * Defines a test per kind: when the API server rejects it, the result names each rejected object
 * with a reason that matches `message` and contains no secret, everything else is applied, and a
 * later deploy repairs it.
 */
export function testEachKind(
  started: () => FullDeployer,
  obstruct: Obstruction,
  message: RegExp,
  { kinds, prefix = 'refused' }: RefusalOptions = {},
): void {
  const chosen = KINDS.filter(([kind]) => kinds?.includes(kind) ?? true)
  test.each(chosen)(
    'reports rejected objects and applies the rest: %s',
    async (kind, resource, group) => {
      const { deployer, owner } = started()
      const agent = agentOf(deployer, owner, `${prefix}-${kind.toLowerCase()}`)
      await agent.register('b1', FULL_SPEC)
      const { k8sNamespace: namespace } = await agent.deploy(ALL, choice('b1'))
      const given = kind === 'Secret' ? { ...ALL, ...CHANGED } : CHANGED
      const allow = await obstruct({ deployer, owner }, { kind, resource, group, namespace })
      let partial
      try {
        await agent.register('b2', FULL_SPEC)
        partial = await waitFor(
          async () => {
            const answer = await agent.deploy(given, choice('b2'))
            return answer.status === DeployStatus.PARTIAL ? answer : undefined
          },
          { what: 'the rejection' },
        )
      } finally {
        await allow()
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

      // Only the loss of a Secret needs values from the next deploy.
      const without = await outcomeOf(agent.deploy({}, choice('b2')))
      expect(without).toBe(kind === 'Secret' ? 'credentials_lost' : 'won')
      const repaired = await waitFor(
        async () => {
          const answer = await agent.deploy(kind === 'Secret' ? given : {}, choice('b2'))
          return answer.status === DeployStatus.SUCCESS ? answer : undefined
        },
        { what: 'a deploy without rejections' },
      )
      expect(repaired.revision).toBe(partial.revision)
      expect((await agent.revisions())[0]).toMatchObject({
        state: RevisionState.APPLIED,
        errors: [],
      })
    },
  )
}
