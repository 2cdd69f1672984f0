/** What the messages of Node, grpc-js and undici mean if client and server disagree about TLS. */
const HINTS = [
  [
    /wrong version number/,
    'the server does not use TLS: set RPC_TLS_CERT_FILE there, or unset RPC_TLS_CA_FILE here',
  ],
  [
    /verify the first certificate|self-signed certificate|issuer certificate/,
    'RPC_TLS_CA_FILE must have the authority that issued the certificate of the server',
  ],
  [/altnames/, 'the certificate of the server must have the host in the address'],
  [/Failed to connect|other side closed/, 'if the server uses TLS, set RPC_TLS_CA_FILE'],
] as const

/** Adds the likely remedy to the message of a connection that could not be established. */
export function withTlsHint(message: string): string {
  const hint = HINTS.find(([pattern]) => pattern.test(message))?.[1]
  return hint === undefined ? message : `${message.trim()} (${hint})`
}
