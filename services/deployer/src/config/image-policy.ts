import { isAbsolute } from 'node:path'

import { parseImage } from '@slipway/agent-spec'
import {
  anyMapping,
  isAccountId,
  mappingOf,
  readPart,
  refuse,
  type ReportProblem,
} from '@slipway/shared/operator-file'
import { parse } from 'yaml'

import type { ImagePolicy, RegistryRule } from '../domain/image-policy.ts'

const FILE_KEYS = ['registries', 'other_registries'] as const
const RULE_KEYS = ['prefix', 'accounts', 'pull_secret_file', 'plain_http'] as const
const OTHERS = ['allowed', 'refused']

/** What is in effect if no part of the policy is valid: no images but the operator's. */
export const closedPolicy: ImagePolicy = Object.freeze({ rules: [], allowsOthers: false })

/**
 * Parses the operator's policy for images (YAML or JSON). Reports what isn't valid. Such a policy
 * never allows more than was meant: a wrong rule allows its images to no account, and images that
 * no rule covers are refused.
 */
export function parseImagePolicy(text: string, report: ReportProblem = refuse): ImagePolicy {
  let isValid = true
  const invalid: ReportProblem = (problem) => {
    isValid = false
    report(problem)
  }
  const file = mappingOf(parse(text, { maxAliasCount: 0 }) ?? {}, 'the file', FILE_KEYS, invalid)
  const { registries = [], other_registries: others = 'allowed' } = file
  if (!Array.isArray(registries)) throw new Error('registries: must be a list')
  if (!OTHERS.includes(String(others))) invalid(`other_registries: must be ${OTHERS.join(' or ')}`)
  const rules = new Map<string, RegistryRule>()
  for (const [index, value] of registries.entries()) {
    const path = `registries[${index}]`
    const valid = readPart(invalid, () => readRule(value, path), undefined)
    const rule = valid ?? closedRule(value, path)
    if (rule === undefined) continue
    const { prefix } = rule
    const isTwice = rules.has(prefix)
    if (isTwice) invalid(`registries: the prefix ${prefix} occurs twice`)
    rules.set(prefix, isTwice ? closed(rule) : rule)
  }
  return Object.freeze({
    rules: [...rules.values()].toSorted((a, b) => b.prefix.length - a.prefix.length),
    allowsOthers: isValid && others === 'allowed',
  })
}

/** The rule that closes the prefix of a wrong rule; undefined if that isn't valid either. */
function closedRule(value: unknown, path: string): RegistryRule | undefined {
  const ignore: ReportProblem = () => undefined
  const read = (): RegistryRule => readRule({ prefix: anyMapping(value, path)['prefix'] }, path)
  const rule = readPart(ignore, read, undefined)
  return rule && closed(rule)
}

/** A rule that allows its images to no account. */
function closed(rule: RegistryRule): RegistryRule {
  return Object.freeze({ ...rule, accounts: new Set<string>() })
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
