/** The agent's configuration, from the environment that the platform sets. */
export interface Config {
  port: number
  /** Starts every answer; an input of the spec. */
  greeting: string
  /** Allows its holder to replace the knowledge; the secret input of the spec. */
  apiToken: string
  agentName: string
  build: string
}

/** Reads the configuration; throws one error that lists all problems. */
export function parseConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  const port = Number(env['PORT'] ?? 8080)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    problems.push('PORT must be a number from 0 to 65535')
  const apiToken = env['SUPPORT_API_TOKEN'] ?? ''
  if (apiToken === '') problems.push('SUPPORT_API_TOKEN is not set')
  if (problems.length > 0) throw new Error(problems.join('; '))
  return {
    port,
    greeting: env['SUPPORT_GREETING'] ?? '',
    apiToken,
    agentName: env['ASTRO_AGENT_NAME'] ?? 'support-agent',
    build: env['ASTRO_AGENT_BUILD'] ?? 'unknown',
  }
}
