import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { users as developmentUsers, type DevelopmentUser } from './identities.ts'

/** The settings of the development identity provider; README.md lists the variables. */
export interface ProviderSettings {
  readonly issuer: string
  readonly listen: { readonly host: string; readonly port: number }
  readonly keysFile: string
  readonly users: readonly DevelopmentUser[]
  /** Secrets of the confidential clients (the services), by client id. */
  readonly serviceSecrets: Readonly<Record<string, string>>
  /** Where browsers may return after a sign-in; empty: `/auth/callback` on this host. */
  readonly consoleRedirects: readonly string[]
  /** Whether a proxy in front sets X-Forwarded-Proto and X-Forwarded-Host. */
  readonly trustProxy: boolean
}

/** Reads the settings from the environment; throws an error that names every problem. */
export function readSettings(env: NodeJS.ProcessEnv): ProviderSettings {
  const problems: string[] = []
  const check = <Value>(name: string, fallback: Value, read: () => Value): Value => {
    try {
      return read()
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      return fallback
    }
  }
  const issuer = check('ISSUER', '', () => readIssuer(env['ISSUER']))
  const nowhere = { host: '', port: 0 }
  const listen = check('LISTEN_ADDRESS', nowhere, () =>
    readAddress(env['LISTEN_ADDRESS'] || hostOf(issuer)),
  )
  const usersFile = env['USERS_FILE']
  const settings: ProviderSettings = {
    issuer,
    listen,
    keysFile: env['KEYS_FILE'] || join(tmpdir(), 'slipway-identity-provider', 'keys.json'),
    users: check('USERS_FILE', [], () => (usersFile ? readUsers(usersFile) : developmentUsers)),
    serviceSecrets: check('SERVICE_SECRETS', {}, () => readSecrets(env['SERVICE_SECRETS'])),
    consoleRedirects: check('CONSOLE_REDIRECTS', [], () => readRedirects(env['CONSOLE_REDIRECTS'])),
    trustProxy: check('TRUST_PROXY', false, () => readBoolean(env['TRUST_PROXY'])),
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return settings
}

function readIssuer(value: string | undefined): string {
  const url = URL.parse(value ?? '')
  if (value === undefined || url === null || !['http:', 'https:'].includes(url.protocol))
    throw new Error('must be the URL at which people and services reach the provider')
  if (url.origin !== value)
    throw new Error(`must be an origin without a path, for example ${url.origin}`)
  return value
}

function hostOf(issuer: string): string {
  const url = URL.parse(issuer)
  if (url === null) return '127.0.0.1:0'
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`
}

function readAddress(value: string): { host: string; port: number } {
  const [, host = '', port = ''] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(value) ?? []
  if (host === '' || Number(port) > 65_535)
    throw new Error('must be host:port, for example 0.0.0.0:9200')
  return { host, port: Number(port) }
}

function readUsers(file: string): DevelopmentUser[] {
  const list = JSON.parse(readFileSync(file, 'utf8')) as unknown
  const fields = ['subject', 'username', 'email', 'givenName', 'familyName'] as const
  const isUser = (each: unknown): each is DevelopmentUser =>
    typeof each === 'object' &&
    each !== null &&
    fields.every((field) => typeof (each as Record<string, unknown>)[field] === 'string')
  if (!Array.isArray(list) || list.length === 0 || !list.every(isUser))
    throw new Error(`${file} must be a JSON array of users, each with ${fields.join(', ')}`)
  return list.map((each) => ({ ...each, username: each.username.toLowerCase() }))
}

function readSecrets(value: string | undefined): Record<string, string> {
  const secrets = JSON.parse(value || '{}') as unknown
  const isMap = typeof secrets === 'object' && secrets !== null && !Array.isArray(secrets)
  if (!isMap || !Object.values(secrets).every((each) => typeof each === 'string'))
    throw new Error('must be a JSON object with a secret for each client id')
  return secrets as Record<string, string>
}

function readRedirects(value: string | undefined): string[] {
  const urls = (value ?? '').split(',').filter((part) => part !== '')
  if (!urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? '')))
    throw new Error('must be http(s) URLs, separated by commas')
  return urls
}

function readBoolean(value: string | undefined): boolean {
  if (!['', 'true', 'false', undefined].includes(value)) throw new Error('must be true or false')
  return value === 'true'
}
