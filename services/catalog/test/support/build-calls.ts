import { afterAll } from 'vitest'

import { specOf, startTestCatalog, type TestCatalog } from './catalog.ts'

/** A person who is signed in. */
type Person = Awaited<ReturnType<TestCatalog['signIn']>>

/** What of a build a test chooses itself. */
export interface Build {
  readonly buildId?: string
  readonly registry?: string
  readonly specContent?: string
  readonly readme?: string
}

/**
 * A catalog for the tests of one file, an owner of agents and a stranger in it, and calls about
 * those agents.
 */
export async function catalogWithBuilds() {
  const catalog = await startTestCatalog()
  afterAll(() => catalog[Symbol.asyncDispose]())
  const owner = await catalog.signIn('owner')
  const stranger = await catalog.signIn('stranger')
  return { catalog, owner, stranger, calls: buildCalls(catalog, owner) }
}

/** Calls about the agents of one account; who makes them is its owner unless told otherwise. */
function buildCalls(catalog: TestCatalog, owner: Person) {
  const { agents } = catalog
  return {
    async register(name: string, build: Build = {}, who = owner) {
      const defaults = {
        buildId: 'b1',
        registry: 'oci://registry.example/team',
        specContent: specOf(name),
      }
      return await agents.registerBuild(
        { account: owner.account, name, ...defaults, ...build },
        who.options,
      )
    },
    async publish(name: string, buildId: string, version: string, who = owner) {
      return await agents.publishBuild(
        { account: owner.account, name, buildId, version },
        who.options,
      )
    },
    async yank(name: string, version: string, who = owner) {
      return await agents.yankVersion({ account: owner.account, name, version }, who.options)
    },
    async unyank(name: string, version: string) {
      return await agents.unyankVersion({ account: owner.account, name, version }, owner.options)
    },
    /** An agent's detail; nobody asks unless somebody is given. */
    async detail(name: string, who?: Person) {
      const { agent } = await agents.getAgent({ account: owner.account, name }, who?.options)
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
