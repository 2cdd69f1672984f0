import { isAbsolute } from 'node:path'

import { parseImage } from '@slipway/agent-spec'
import { isAccountId, mappingOf } from '@slipway/shared/operator-file'
import { parse } from 'yaml'

import type { ImagePolicy, RegistryRule } from '../domain/image-policy.ts'

const FILE_KEYS = ['registries', 'other_registries'] as const
const RULE_KEYS = ['prefix', 'accounts', 'pull_secret_file', 'plain_http'] as const
const OTHERS = ['allowed', 'refused']

/**
 * Parses the operator's policy for images (YAML or JSON). Throws an Error that names the first
 * wrong key or value.
 */
export function parseImagePolicy(text: string): ImagePolicy {
  const file = mappingOf(parse(text, { maxAliasCount: 0 }) ?? {}, 'the file', FILE_KEYS)
  const { registries = [], other_registries: others = 'allowed' } = file
  if (!Array.isArray(registries)) throw new Error('registries: must be a list')
  if (!OTHERS.includes(String(others)))
    throw new Error(`other_registries: must be ${OTHERS.join(' or ')}`)
  const rules = registries.map((value: unknown, index) => readRule(value, `registries[${index}]`))
  const twice = rules.find(({ prefix }, index) =>
    rules.slice(0, index).some((rule) => rule.prefix === prefix),
  )
  if (twice !== undefined) throw new Error(`registries: the prefix ${twice.prefix} occurs twice`)
  return Object.freeze({
    rules: rules.toSorted((a, b) => b.prefix.length - a.prefix.length),
    allowsOthers: others === 'allowed',
  })
}

function readRule(value: unknown, path: string): RegistryRule {
  const {
    prefix,
    accounts,
    pull_secret_file: pullSecretFile,
    plain_http: plainHttp = false,
  } = mappingOf(value, path, RULE_KEYS)
  if (typeof plainHttp !== 'boolean') throw new Error(`${path}.plain_http: must be true or false`)
  return Object.freeze({
    prefix: readPrefix(prefix, `${path}.prefix`, plainHttp),
    accounts: accounts === undefined ? undefined : readAccounts(accounts, `${path}.accounts`),
    pullSecretFile:
      pullSecretFile === undefined
        ? undefined
        : readPath(pullSecretFile, `${path}.pull_secret_file`),
    plainHttp,
  })
}

/** A prefix always names its registry, so `docker.io/acme` is an organization, not an image. */
function readPrefix(value: unknown, path: string, plainHttp: boolean): string {
  const [host = '', ...rest] = typeof value === 'string' ? value.replace(/\/+$/, '').split('/') : []
  const isHost = /[.:]/.test(host) || host === 'localhost'
  const reference = parseImage([host, ...rest, 'any'].join('/'))
  if (reference === undefined || !isHost)
    throw new Error(
      `${path}: must be a registry with or without a path, e.g. registry.example.com/acme`,
    )
  const { registry } = reference
  return [plainHttp ? registry.replace(/:80$/, '') : registry, ...rest].join('/')
}

function readAccounts(value: unknown, path: string): ReadonlySet<string> {
  if (!Array.isArray(value)) throw new Error(`${path}: must be a list`)
  const wrong = value.find((id) => !isAccountId(id))
  if (wrong !== undefined) throw new Error(`${path}: ${String(wrong)} is not the id of an account`)
  return new Set(value as string[])
}

function readPath(value: unknown, path: string): string {
  if (typeof value !== 'string' || !isAbsolute(value))
    throw new Error(`${path}: must be an absolute path`)
  return value
}
