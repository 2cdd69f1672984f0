import type { Logger } from '../logging/logger.ts'
import { createCounter } from '../telemetry/measures.ts'
import { reportUnsafeSetting } from '../process/unsafe-settings.ts'
import { discoverIssuers } from './discover-issuers.ts'
import type { IssuerSetting } from './issuers.ts'
import { createTokenVerifier, type TokenVerifier } from './token-verifier.ts'

const countUnmarked = createCounter(
  'slipway.auth.unmarked_tokens',
  'Verified tokens that nothing marks as access tokens',
)

/** Creates the verifier of a service, and reports unsafe settings of issuers to the operator. */
export async function startTokenVerifier(
  settings: readonly IssuerSetting[],
  logger: Logger,
): Promise<TokenVerifier> {
  const issuers = await discoverIssuers(settings, logger)
  for (const { issuer, kind, audience, acceptsAnyAudience } of issuers) {
    if (kind !== 'user' || audience !== undefined || acceptsAnyAudience === true) continue
    reportUnsafeSetting(logger, {
      setting: 'AUTH_ISSUERS.audience',
      problem: `${issuer} has no audience, so its tokens for any other application are accepted`,
      remedy: 'set its audience, or any_audience: true if it issues tokens for Slipway only',
    })
  }
  const reported = new Set<string>()
  return createTokenVerifier(issuers, Date.now, (issuer) => {
    countUnmarked(1, { issuer })
    if (reported.has(issuer)) return
    reported.add(issuer)
    reportUnsafeSetting(logger, {
      setting: 'AUTH_ISSUERS.unmarked_tokens',
      problem: `nothing marks tokens of ${issuer} as access tokens, so they may be ID tokens`,
      remedy:
        'let the issuer add the claim scope or client_id, and set unmarked_tokens: false; ' +
        'or set it to true if all of its tokens for this audience are access tokens',
    })
  })
}
