import { ApiError, type Schemas } from '@slipway/client'

import { askSecret } from '../command/ask.ts'
import type { Cli } from '../command/cli.ts'
import type { DeployRequest } from './deploy-request.ts'
import { explainInvalid, missingCredentials } from './explain-invalid.ts'
import { historyWarnings } from './never-ready.ts'
import { readSecrets, type SecretSources } from './read-secrets.ts'
import { explainSource, knownSource } from './source-account.ts'
import { templateInputs } from './template-inputs.ts'

/** A deploy that has passed its checks, with its credentials. */
export interface PlannedDeploy {
  readonly body: Schemas['DeployRequest']
  readonly validation: Schemas['ValidDeployment']
}

type Credentials = Readonly<Record<string, string>>

/** The build that runs. */
const CURRENT = 'current'

/**
 * Checks a deploy, and returns what it would change. Asks for credentials that are missing, if a
 * person can be asked. The build and the account that owns it are then fixed: what is deployed is
 * what was checked.
 */
export async function planDeploy(
  cli: Cli,
  request: DeployRequest,
  sources: SecretSources,
): Promise<PlannedDeploy> {
  const source = await knownSource(cli, request)
  let credentials = await declaredSecrets(cli, request, await readSecrets(cli, sources))
  for (;;) {
    const body = { ...withCredentials(request, credentials), ...source }
    try {
      const checked = await validate(cli, body)
      const known = await historyWarnings(cli, request, checked.build_id)
      const warnings = [...(checked.warnings ?? []), ...known]
      const validation = { ...checked, ...(warnings.length > 0 && { warnings }) }
      return { body: fixed(body, validation), validation }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'source_account_changed')
        throw await explainSource(cli, request, error)
      if (!(error instanceof ApiError) || error.problems.length === 0) throw error
      const missing = missingCredentials(error.problems, credentials)
      const canAsk = cli.isInteractive && missing.length === error.problems.length
      if (!canAsk) throw explainInvalid(error, credentials)
      credentials = { ...credentials, ...(await askFor(cli, request, missing)) }
    }
  }
}

/** The deploy of just what was checked. */
function fixed(body: Schemas['DeployRequest'], checked: Schemas['ValidDeployment']) {
  const { build_id: build, source_account_id: source } = checked
  return {
    ...body,
    ...(body.build_id !== CURRENT && { build_id: build }),
    ...(source !== undefined && { source_account_id: source }),
  }
}

async function validate(
  cli: Cli,
  body: Schemas['DeployRequest'],
): Promise<Schemas['ValidDeployment']> {
  const client = await cli.client()
  const params = { query: { dry_run: 'server' as const } }
  const init = { params, body, signal: cli.signal }
  return (await client.POST('/api/v1/deploy/validate', init)).data
}

function withCredentials(request: DeployRequest, credentials: Credentials) {
  const isEmpty = Object.keys(credentials).length === 0
  return isEmpty ? request : { ...request, user_credentials: { ...credentials } }
}

/** The credentials and inputs that the agent declares. Files often have others; they stay here. */
async function declaredSecrets(
  cli: Cli,
  request: DeployRequest,
  given: Credentials,
): Promise<Credentials> {
  if (Object.keys(given).length === 0) return given
  const [config, inputs] = await Promise.all([readConfig(cli, request), readInputs(cli, request)])
  const declared = new Set([...config.map(({ key }) => key), ...inputs])
  const others = Object.keys(given).filter((key) => !declared.has(key))
  if (others.length > 0)
    cli.printer.say(`not sent, as the agent does not declare them: ${others.join(', ')}`, 'warning')
  return Object.fromEntries(Object.entries(given).filter(([key]) => declared.has(key)))
}

async function askFor(
  cli: Cli,
  request: DeployRequest,
  keys: readonly string[],
): Promise<Credentials> {
  const config = await readConfig(cli, request)
  const answers: Record<string, string> = {}
  for (const key of keys) {
    const description = config.find((each) => each.key === key)?.description ?? ''
    const question = description === '' ? key : `${key} (${description})`
    const answer = await askSecret(cli, question, 'use --env-file or --secrets-from')
    if (answer !== '') answers[key] = answer
  }
  return answers
}

async function readConfig(
  cli: Cli,
  request: DeployRequest,
): Promise<readonly Schemas['CredentialKey'][]> {
  const { interfaces } = request
  const { path, query } = buildOf(request)
  const names = interfaces !== undefined && { interfaces: interfaces.join(',') }
  const client = await cli.client()
  const init = { params: { path, query: { ...query, ...names } }, signal: cli.signal }
  return (await client.GET('/api/v1/agents/{account}/{name}/config', init)).data.credentials
}

async function readInputs(cli: Cli, request: DeployRequest): Promise<ReadonlySet<string>> {
  const { path, query } = buildOf(request)
  const client = await cli.client()
  const params = { path, query: { ...query, format: 'json' as const } }
  const init = { params, signal: cli.signal }
  const url = '/api/v1/agents/{account}/{name}/deployment-template'
  return templateInputs((await client.GET(url, init)).data)
}

/** Where the build of a deploy is described. That which runs belongs to the deploying account. */
function buildOf({
  account,
  name,
  source_account: source,
  build_id: build,
  version,
}: DeployRequest) {
  const path = { account: build === CURRENT ? account : (source ?? account), name }
  return {
    path,
    query: { ...(build !== undefined && { build }), ...(version !== undefined && { version }) },
  }
}
