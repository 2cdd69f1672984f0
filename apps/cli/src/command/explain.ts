import { ApiError, ConnectionError } from '@slipway/client'

import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-code.ts'
import { fileFailure } from './file-failure.ts'

const ADVICE: Readonly<Record<number, string>> = {
  401: 'slipway login, or check SLIPWAY_TOKEN',
  403: 'ask an owner or admin of the account, or choose another one: slipway account list',
  429: 'wait, then try again',
  503: 'try again in a moment; slipway doctor shows what is not ready',
}

/** Advice by what is wrong, which has precedence. */
const ADVICE_BY_CODE: Readonly<Record<string, string>> = {
  agent_not_found: 'check the name and the account: slipway agents list',
  user_not_found:
    'ask them to sign in here once, and for the id that `slipway whoami` shows them: ' +
    'slipway members add ID',
  no_builds: 'slipway push, which registers a build',
  build_published: 'slipway push, which registers a new build, then publish that one',
  version_taken: 'another version: slipway agents show NAME lists those that are taken',
  build_not_found: 'slipway agents show NAME, which lists the builds',
  version_not_found: 'slipway agents show NAME, which lists the versions',
  deployment_not_found: 'slipway deploy',
  revision_not_found: 'slipway history, which lists the revisions',
  no_ready_revision: 'slipway history, then slipway rollback REVISION',
  revision_not_restorable: 'slipway history, then another revision',
  quota_exceeded: 'slipway usage, which shows all limits',
  credentials_lost: 'slipway deploy --env-file FILE, with these credentials',
  person_required: 'slipway login, without SLIPWAY_TOKEN: only people may do this',
  token_name_taken: 'slipway tokens list, then slipway tokens revoke NAME, or another name',
  ingestion_not_found: 'slipway status, which lists the components',
  trace_not_found: 'slipway traces, which lists the newest ones',
  session_not_found: 'slipway sessions, which lists the newest ones',
}

/** Explains any failure: what failed, why, and what to do next. */
export function explain(error: unknown): CliError {
  if (error instanceof CliError) return error
  if (error instanceof ApiError) return fromApi(error)
  if (error instanceof ConnectionError)
    return new CliError(`can't use ${error.server}`, {
      code: 'unreachable',
      why: error.detail,
      next: 'slipway doctor',
      cause: error,
    })
  const ofFile = fileFailure(error)
  if (ofFile !== undefined) return ofFile
  return new CliError(error instanceof Error ? error.message : String(error), {
    code: 'internal',
    next: 'run it again with --verbose, and report what it prints',
    cause: error,
  })
}

function fromApi(error: ApiError): CliError {
  const { status, code, detail, problems, requestId, retryAfterSeconds } = error
  const isSignIn = status === 401
  const next =
    status === 429 && retryAfterSeconds !== undefined
      ? `try again in ${retryAfterSeconds} s`
      : (ADVICE_BY_CODE[code] ?? ADVICE[status])
  return new CliError(detail, {
    code,
    why: problems.map(({ field, message }) => `${field}: ${message}`).join('\n') || undefined,
    next,
    requestId,
    exitCode: isSignIn ? exitCodes.signIn : exitCodes.failed,
    cause: error,
  })
}
