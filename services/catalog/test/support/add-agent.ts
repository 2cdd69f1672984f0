import { specOf, type TestCatalog } from './catalog.ts'

/** Registers build `b1` of an agent in a user's personal account, and publishes it as 1.0.0. */
export async function addAgent(
  catalog: TestCatalog,
  subject: string,
  name: string,
  { extra = '', readme = '', isPublished = true } = {},
): Promise<void> {
  const { account, options } = await catalog.signIn(subject)
  const registry = 'r.example/x'
  await catalog.agents.registerBuild(
    { account, name, buildId: 'b1', registry, specContent: specOf(name, extra), readme },
    options,
  )
  if (isPublished)
    await catalog.agents.publishBuild({ account, name, buildId: 'b1', version: '1.0.0' }, options)
}
