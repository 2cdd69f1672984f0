import { startTestDeployer, type Person, type TestDeployer } from './deployer.ts'

/** A deployer that accepts components of every kind, and a user of it. */
export interface FullDeployer {
  readonly deployer: TestDeployer
  readonly owner: Person
}

/** Starts a deployer with settings for components of every kind, and signs its user in. */
export async function startFullDeployer(env: Record<string, string> = {}): Promise<FullDeployer> {
  const deployer = await startTestDeployer({
    MESSAGING_IMAGE: 'registry.example/messaging:1',
    MESSAGING_ADAPTERS: 'web,slack',
    INGRESS_DOMAIN: 'slipway.localhost',
    ...env,
  })
  return { deployer, owner: await deployer.signIn('owner') }
}
