import type { MessageInitShape } from '@bufbuild/protobuf'
import type { CommitSchema } from '@slipway/proto/slipway/catalog/v1/agent'
import { afterAll } from 'vitest'

import { specOf, startTestCatalog, type TestCatalog } from './catalog.ts'

/** A signed-in user. */
type User = Awaited<ReturnType<TestCatalog['signIn']>>

/** Fields of a build that a test can choose. */
export interface Build {
  readonly buildId?: string
  readonly registry?: string
  readonly specContent?: string
  readonly readme?: string
  readonly imageDigests?: Readonly<Record<string, string>>
  readonly commit?: MessageInitShape<typeof CommitSchema>
}

/**
 * A catalog for the tests of a file, with an owner of agents, a stranger, and calls for those
 * agents.
 */
export async function catalogWithBuilds() {
  const catalog = await startTestCatalog()
  afterAll(() => catalog[Symbol.asyncDispose]())
  const owner = await catalog.signIn('owner')
  const stranger = await catalog.signIn('stranger')
  return { catalog, owner, stranger, calls: buildCalls(catalog, owner) }
}

/** Calls for the agents of one account, by default by its owner. */
function buildCalls(catalog: TestCatalog, owner: User) {
  const { agents } = catalog
  return {
    async register(name: string, build: Build = {}, user = owner) {
      const defaults = {
        buildId: 'b1',
        registry: 'oci://registry.example/team',
        specContent: specOf(name),
      }
      return await agents.registerBuild(
        { account: owner.account, name, ...defaults, ...build },
        user.options,
      )
    },
    async publish(name: string, buildId: string, version: string, user = owner) {
      return await agents.publishBuild(
        { account: owner.account, name, buildId, version },
        user.options,
      )
    },
    async yank(name: string, version: string, user = owner) {
      return await agents.yankVersion({ account: owner.account, name, version }, user.options)
    },
    async unyank(name: string, version: string) {
      return await agents.unyankVersion({ account: owner.account, name, version }, owner.options)
    },
    /** The detail of an agent, by default for an anonymous caller. */
    async detail(name: string, user?: User) {
      const { agent } = await agents.getAgent({ account: owner.account, name }, user?.options)
      return { ...agent, builds: agent?.versions.map(({ buildId }) => buildId) }
    },
    async resolve(name: string, sourceAccount = '', accountId = owner.accountId) {
      return await agents.resolveBuild(
        { accountId, sourceAccount, name },
        await catalog.asService('deployer'),
      )
    },
  }
}
