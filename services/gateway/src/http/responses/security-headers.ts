/** Headers of every response: browsers must not sniff its type, frame it, or run scripts in it. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  // Browsers ignore it on responses that didn't arrive over TLS.
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
} as const

/** Pages load everything from here, send no forms, and no page may frame them. */
export const PAGE_POLICY =
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'"
