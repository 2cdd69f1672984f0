/** What the platform tells the adapter, and what an operator may set beside it. */
export interface Config {
  /** Where the agent answers. */
  readonly agentUrl: URL
  /** Address to listen on; undefined: all of them. */
  readonly host: string | undefined
  readonly port: number
  readonly limits: Limits
}

/** What one adapter takes upon itself. */
export interface Limits {
  readonly bodyBytes: number
  /** Requests under way at once; more are refused. */
  readonly requests: number
  readonly connectMs: number
  /** How long a connection to the agent may be silent, before and in its answer. */
  readonly silenceMs: number
}

/** Reads the configuration and reports all that is wrong with it at once. */
export function parseConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  const agentUrl = URL.parse(env['AGENT_URL'] ?? '')
  if (agentUrl?.protocol !== 'http:') problems.push('AGENT_URL is no http URL')
  if (env['WEB_ENABLED'] !== 'true')
    problems.push('WEB_ENABLED is not true, and this image serves nothing but the web')
  if (env['SLACK_ENABLED'] === 'true')
    problems.push('SLACK_ENABLED is true, and this image does not serve Slack')
  const address = /^(?<host>.*):(?<port>\d{1,5})$/.exec(env['WEB_LISTEN_ADDR'] ?? ':8080')
  const port = Number(address?.groups?.['port'] ?? -1)
  if (port < 0 || port > 65_535) problems.push('WEB_LISTEN_ADDR is neither host:port nor :port')

  const positive = (name: string, fallback: number): number => {
    const value = Number(env[name] ?? fallback)
    if (!Number.isSafeInteger(value) || value < 1) problems.push(`${name} is no positive number`)
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
