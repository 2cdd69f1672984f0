/** The adapter's configuration, set by the platform and, for the limits, by an operator. */
export interface Config {
  /** The agent's address. */
  readonly agentUrl: URL
  /** The address to listen on; undefined for all. */
  readonly host: string | undefined
  readonly port: number
  readonly limits: Limits
}

/** The limits of one adapter. */
export interface Limits {
  readonly bodyBytes: number
  /** Concurrent requests; further ones are rejected. */
  readonly requests: number
  readonly connectMs: number
  /** How long a connection to the agent may be silent, before and during its response. */
  readonly silenceMs: number
}

/** Reads the configuration; throws one error that lists all problems. */
export function parseConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  const agentUrl = URL.parse(env['AGENT_URL'] ?? '')
  if (agentUrl?.protocol !== 'http:') problems.push('AGENT_URL must be an http URL')
  if (env['WEB_ENABLED'] !== 'true')
    problems.push('WEB_ENABLED must be true: this image serves only the web')
  if (env['SLACK_ENABLED'] === 'true')
    problems.push('SLACK_ENABLED must not be true: this image does not serve Slack')
  const address = /^(?<host>.*):(?<port>\d{1,5})$/.exec(env['WEB_LISTEN_ADDR'] ?? ':8080')
  const port = Number(address?.groups?.['port'] ?? -1)
  if (port < 0 || port > 65_535) problems.push('WEB_LISTEN_ADDR must be host:port or :port')

  const positive = (name: string, fallback: number): number => {
    const value = Number(env[name] ?? fallback)
    if (!Number.isSafeInteger(value) || value < 1)
      problems.push(`${name} must be a positive integer`)
    return value
  }
  const limits = {
    bodyBytes: positive('WEB_MAX_BODY_BYTES', 32 * 1024 * 1024),
    requests: positive('WEB_MAX_REQUESTS', 256),
    connectMs: positive('WEB_CONNECT_TIMEOUT_MS', 5_000),
    silenceMs: positive('WEB_SILENCE_TIMEOUT_MS', 120_000),
  }
  if (agentUrl === null || problems.length > 0) throw new Error(problems.join('; '))
  return {
    agentUrl,
    host: address?.groups?.['host']?.replace(/^\[(.*)\]$/, '$1') || undefined,
    port,
    limits,
  }
}
