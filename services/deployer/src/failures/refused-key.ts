import type { DeploymentTemplate } from '@slipway/agent-spec'

import { isSecretCredential } from '../credentials/values-to-redact.ts'
import type { LogAdvice } from './log-advice.ts'

/**
 * What clients of models and other services write if their key is refused. An access log of the
 * program's own refusals, as `"POST /chat" 401`, does not count.
 */
const REFUSED = new RegExp(
  [
    String.raw`\bAuthenticationError\b|\b\w+AuthenticationError\b|\bPermissionDeniedError\b`,
    String.raw`\binvalid_api_key\b|\bAPI_KEY_INVALID\b|\bauthentication_error\b`,
    '(?:incorrect|invalid) (?:x-)?api[ -]?key|api key not valid',
  ].join('|'),
  'i',
)
const MOST_TEXT = 200
const MOST_KEYS = 5

/** Finds that a service has refused the credential of a program that runs. */
export function refusedKeyIn(
  logLines: readonly string[],
  template: DeploymentTemplate | undefined,
): LogAdvice[] {
  const line = logLines.findLast((each) => REFUSED.test(each))
  const keys = Object.keys(template?.credentials ?? {}).filter((key) =>
    isSecretCredential(template, key),
  )
  if (line === undefined || keys.length === 0) return []
  const named = keys.slice(0, MOST_KEYS).join(', ')
  const said = line.trim().slice(0, MOST_TEXT).toWellFormed()
  return [
    {
      finding: `its log says that a key was refused: ${said}`,
      step: `If it is about ${named}, deploy again with another value in \`user_credentials\`.`,
    },
  ]
}
