import {
  BAD_KEY,
  bodies,
  INVALID,
  NOWHERE,
  refusals,
  WRONG_TYPES,
  type DeploymentCase,
} from './deployment-case.ts'
import { CREDENTIALS, type DeploymentWorld } from '../support/deployment-fixture.ts'

/** Cases of deploying and validating. */
export function deployCases({
  account,
  running,
  stuck,
  fresh,
  hidden,
}: DeploymentWorld): DeploymentCase[] {
  const target = { account, name: running, user_credentials: CREDENTIALS }
  return ['POST /deploy', 'POST /deploy/validate'].flatMap((route): DeploymentCase[] => {
    const good: DeploymentCase = { route, status: 200, caller: 'member', body: target }
    const { body: _, ...bare } = good
    const invalid = (body: object): DeploymentCase => ({
      ...good,
      status: 400,
      code: 'validation_failed',
      body: { ...target, ...body },
    })
    return [
      good,
      ...refusals(good),
      ...bodies(good),
      { ...bare, ...INVALID, ...WRONG_TYPES },
      { ...good, ...INVALID, body: { ...target, name: '' } },
      { ...good, ...INVALID, body: { ...target, schedules: { nightly: 5 } }, isHttpOnly: true },
      { ...good, ...INVALID, body: { ...target, interfaces: 'web' }, isHttpOnly: true },
      { ...good, ...INVALID, body: { ...target, account: 'a\0b' }, isHttpOnly: true },
      invalid({ user_credentials: { 'no name': 'x' } }),
      invalid({ user_credentials: { SUPPORT_API_TOKEN: '' } }),
      invalid({ interfaces: ['telepathy'] }),
      invalid({ schedules: { nightly: '@hourly' } }),
      invalid({ schedules: { docs: '0 3 * * *' } }),
      invalid({ schedules: { nothing: '0 3 * * *' } }),
      invalid({ overrides: { 'agent.image': 'x' } }),
      { ...good, status: 404, code: 'account_not_found', body: { ...target, account: NOWHERE } },
      { ...good, status: 404, code: 'no_builds', body: { account, name: 'no-such-agent' } },
      {
        ...good,
        status: 404,
        code: 'account_not_found',
        body: { account, name: hidden, source_account: NOWHERE },
      },
      { ...good, body: { ...target, build_id: 'b1' } },
      { ...good, body: { ...target, build_id: 'current' } },
      {
        ...good,
        status: 404,
        code: 'deployment_not_found',
        body: { account, name: fresh, build_id: 'current' },
      },
      { ...good, status: 404, code: 'build_not_found', body: { ...target, build_id: 'b9' } },
      { ...good, status: 404, code: 'version_not_found', body: { ...target, version: '9.0.0' } },
      { ...good, ...INVALID, body: { ...target, version: 'v1' } },
      {
        ...good,
        status: 400,
        code: 'version_mismatch',
        body: { ...target, build_id: 'b1', version: '9.0.0' },
      },
      {
        ...good,
        status: 404,
        code: 'no_builds',
        body: { account, name: 'x', source_account: 'alice' },
      },
      ...(route === 'POST /deploy'
        ? [
            { ...good, status: 207, query: { wait: '1' }, body: { account, name: stuck } },
            { ...good, ...INVALID, query: { wait: '301' } },
            { ...good, ...INVALID, query: { wait: '1.5' }, isHttpOnly: true },
            { ...good, ...INVALID, ...BAD_KEY },
          ]
        : [
            { ...good, query: { dry_run: 'server' } },
            { ...good, body: { account, name: fresh } },
            { ...good, ...INVALID, query: { dry_run: 'client' }, isHttpOnly: true },
          ]),
    ]
  })
}
