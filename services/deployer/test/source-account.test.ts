import { waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { agentOf, CREDENTIALS } from './support/agents.ts'
import { startTestDeployer } from './support/deployer.ts'

test('a deployment from another account shows that account under its present name, also after a rollback', async () => {
  await using deployer = await startTestDeployer()
  const owner = await deployer.signIn('owner')
  const source = agentOf(deployer, owner, 'shared')
  await source.register('b1')
  await source.publish('b1', '1.0.0')
  const other = await deployer.signIn('other')
  const agent = agentOf(deployer, other, 'shared')
  await agent.deploy(CREDENTIALS, { sourceAccount: owner.account })
  await agent.deploy({ API_TOKEN: 'second-secret-value' }, { sourceAccount: owner.account })
  const own = agentOf(deployer, owner, 'shared')
  await own.deploy()

  const rename = async (account: string, newName: string) => {
    await deployer.accounts.renameAccount({ account, newName }, owner.options)
    const isTold = async () => (await agent.get())?.sourceAccount === newName
    await waitFor(isTold, { what: 'the new name' })
  }
  await rename(owner.account, 'once-renamed')
  await rename('once-renamed', 'twice-renamed')
  await agent.rollback()
  expect((await agent.get())?.sourceAccount).toBe('twice-renamed')
  const { deployments } = await deployer.deployments.listDeployments(
    { account: 'twice-renamed' },
    owner.options,
  )
  expect(deployments).toMatchObject([{ name: 'shared', sourceAccount: '' }])
})
