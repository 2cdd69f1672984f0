import {
  BAD_KEY,
  bodies,
  INVALID,
  NOWHERE,
  refusals,
  type DeploymentCase,
} from './deployment-case.ts'
import type { DeploymentWorld } from '../support/deployment-fixture.ts'

/** Cases of undeploying, rolling back and rotating the ingest token. */
export function changeCases({ account, stuck, fresh }: DeploymentWorld): DeploymentCase[] {
  const undeploy: DeploymentCase = {
    route: 'POST /undeploy',
    status: 404,
    code: 'deployment_not_found',
    caller: 'member',
    body: { account, name: fresh },
  }
  const rollback: DeploymentCase = {
    route: 'POST /agents/{account}/{name}/deployment/rollback',
    status: 200,
    caller: 'member',
    params: { account, name: stuck },
  }
  const rotate: DeploymentCase = {
    route: 'POST /agents/{account}/{name}/deployment/rotate-ingest-token',
    status: 200,
    caller: 'member',
    params: { account, name: stuck },
  }
  const below = (good: DeploymentCase): DeploymentCase[] => [
    good,
    ...refusals(good),
    ...bodies(good),
    { ...good, ...INVALID, ...BAD_KEY },
    { ...good, ...INVALID, params: { account, name: 'a\0b' }, isHttpOnly: true },
    { ...good, status: 404, code: 'account_not_found', params: { account: NOWHERE, name: stuck } },
    { ...good, status: 404, code: 'deployment_not_found', params: { account, name: fresh } },
  ]
  return [
    undeploy,
    ...refusals(undeploy),
    ...bodies(undeploy),
    { ...undeploy, ...INVALID, body: { account, name: '' } },
    { ...undeploy, ...INVALID, body: { account, name: 5 }, isHttpOnly: true },
    { ...undeploy, ...INVALID, ...BAD_KEY },
    { ...undeploy, code: 'account_not_found', body: { account: NOWHERE, name: fresh } },
    ...below({ ...rollback, body: { revision: 1 } }),
    // It was never ready.
    { ...rollback, status: 400, code: 'no_ready_revision', body: {} },
    { ...rollback, status: 400, code: 'no_ready_revision' },
    { ...rollback, status: 207, query: { wait: '1' }, body: { revision: 1 } },
    { ...rollback, ...INVALID, body: { revision: 0 } },
    { ...rollback, ...INVALID, body: { revision: '1' }, isHttpOnly: true },
    { ...rollback, ...INVALID, query: { wait: '301' } },
    { ...rollback, status: 404, code: 'revision_not_found', body: { revision: 999 } },
    ...below(rotate),
    { ...rotate, query: { grace: '0' } },
    { ...rotate, query: { grace: '86400' } },
    { ...rotate, ...INVALID, query: { grace: '86401' } },
    { ...rotate, ...INVALID, query: { grace: '-1' } },
    { ...rotate, ...INVALID, query: { grace: 'soon' }, isHttpOnly: true },
  ]
}
