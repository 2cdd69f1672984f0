import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { secretFiles } from './support/mounted-files.ts'
import { SERVICES } from './support/service-settings.ts'

// What a new pod does with each file that a service reads at start, in each state that a Secret or
// config map can have. It starts without what a running pod goes on without, or says why it can't.

const directory = mkdtempSync(join(tmpdir(), 'slipway-files-'))
afterAll(() => rmSync(directory, { recursive: true }))
const files = await secretFiles(join(directory, 'valid'))

const DAMAGED = {
  missing: undefined,
  empty: '',
  'cut off': (valid: string) => valid.slice(0, valid.length / 2),
  'of another type': () => '- 1',
  'a folder': null,
} as const
type Damage = keyof typeof DAMAGED

interface File {
  readonly setting: string
  readonly valid: string
  /** The settings for a path of the file. */
  readonly env: (path: string) => Readonly<Record<string, string>>
  readonly of: readonly string[]
  /** In which states a service doesn't start, because it can't do anything without the file. */
  readonly refused?: readonly Damage[]
  /** In which states the content is valid nevertheless. */
  readonly accepted?: readonly Damage[]
}

const ALL = Object.keys(DAMAGED) as Damage[]
const WITH_STORE = ['catalog', 'deployer', 'observability']
const ownPath = (setting: string) => (path: string) => ({ [setting]: path })
const pem = (name: string) => files[name] ?? ''
const keyPath = join(directory, 'valid', 'tls.key')

const FILES: readonly File[] = [
  ...['NATS_CA_FILE', 'RPC_TLS_CA_FILE'].map((setting) => ({
    setting,
    valid: pem('ca.crt'),
    env: ownPath(setting),
    of: setting === 'NATS_CA_FILE' ? [...WITH_STORE, 'gateway'] : ['deployer', 'gateway'],
  })),
  {
    setting: 'NATS_CREDENTIALS_FILE',
    valid: pem('nats.creds'),
    env: ownPath('NATS_CREDENTIALS_FILE'),
    of: [...WITH_STORE, 'gateway'],
  },
  {
    setting: 'CLICKHOUSE_CA_FILE',
    valid: pem('ca.crt'),
    env: ownPath('CLICKHOUSE_CA_FILE'),
    of: ['observability'],
  },
  {
    setting: 'ACCOUNT_LIMITS_FILE',
    valid: 'defaults: {agents: 1}',
    env: ownPath('ACCOUNT_LIMITS_FILE'),
    of: WITH_STORE,
    accepted: ['empty'],
  },
  {
    setting: 'MODEL_PRICES_FILE',
    valid: 'prices: []',
    env: ownPath('MODEL_PRICES_FILE'),
    of: ['observability'],
  },
  {
    setting: 'IMAGE_POLICY_FILE',
    valid: 'other_registries: refused',
    env: ownPath('IMAGE_POLICY_FILE'),
    of: ['deployer'],
    accepted: ['empty'],
  },
  // A listener has no other certificate, and a database no other authority.
  {
    setting: 'RPC_TLS_CERT_FILE',
    valid: pem('tls.crt'),
    env: (path) => ({ RPC_TLS_CERT_FILE: path, RPC_TLS_KEY_FILE: keyPath }),
    of: WITH_STORE,
    refused: ALL,
  },
  {
    setting: 'DATABASE_URL',
    valid: pem('ca.crt'),
    env: (path) => ({
      DATABASE_URL: `postgres://db.example/x?sslmode=verify-full&sslrootcert=${path}`,
    }),
    of: WITH_STORE,
    refused: ALL,
  },
]

const NEEDED = {
  DATABASE_URL: 'postgres://slipway:secret@db.example/slipway',
  AUTH_ISSUERS: '[{"issuer":"https://login.example"}]',
  SERVICE_TOKEN_FILE: '/run/token',
  SECRET_NAME_KEY: 'ab'.repeat(32),
  IDEMPOTENCY_KEY_SECRET: 'cd'.repeat(32),
  CATALOG_ADDRESS: 'catalog:9120',
  DEPLOYER_ADDRESS: 'deployer:9100',
  OBSERVABILITY_ADDRESS: 'observability:9100',
  CLICKHOUSE_URL: 'https://clickhouse.example:8443',
}

/** The problems with a setting's file that a configuration has, wherever in it. */
function problemsOf(config: unknown, setting: string): readonly string[] {
  if (typeof config !== 'object' || config === null) return []
  const { name, problems } = config as { name?: unknown; problems?: readonly string[] }
  if (name === setting && problems !== undefined) return problems
  return Object.values(config).flatMap((each) => problemsOf(each, setting))
}

const cases = FILES.flatMap((file) =>
  file.of.flatMap((service) => ALL.map((damage) => ({ ...file, service, damage }))),
)

test.each(cases)('$service with $setting $damage', ({ service, damage, ...file }) => {
  const readConfig = SERVICES.find((each) => each.service === service)?.readConfig
  if (readConfig === undefined) throw new Error(`there is no ${service}`)
  const path = join(directory, `${service}-${file.setting}-${damage.replaceAll(' ', '-')}`)
  const content = DAMAGED[damage]
  if (content === null) mkdirSync(path)
  else if (content !== undefined)
    writeFileSync(path, typeof content === 'string' ? content : content(file.valid))
  const outcome = (): string => {
    try {
      const config = readConfig({ ...NEEDED, ...file.env(path) })
      return problemsOf(config, file.setting).length > 0 ? 'starts and reports it' : 'starts'
    } catch (error) {
      return String(error).includes(file.setting) ? 'says why it does not start' : String(error)
    }
  }
  const isRefused = file.refused?.includes(damage) === true
  const isAccepted = file.accepted?.includes(damage) === true
  expect(outcome()).toBe(
    isRefused ? 'says why it does not start' : isAccepted ? 'starts' : 'starts and reports it',
  )
})

test.each(FILES.flatMap((file) => file.of.map((service) => ({ ...file, service }))))(
  '$service with a valid $setting',
  ({ service, setting, valid, env }) => {
    const path = join(directory, `${service}-${setting}-valid`)
    writeFileSync(path, valid)
    const config = SERVICES.find((each) => each.service === service)?.readConfig({
      ...NEEDED,
      ...env(path),
    })
    expect(problemsOf(config, setting)).toEqual([])
  },
)
