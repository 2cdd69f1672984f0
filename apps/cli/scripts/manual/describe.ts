import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { allCommands, type NamedCommand } from '../../src/app/all-commands.ts'
import { commonAliases, commonFlags } from '../../src/command/common-flags.ts'
import { argumentUsages } from '../../src/command/usage-line.ts'
import { resultSchema } from '../result-schema.ts'

/** An argument or option, as the manual describes it. */
export interface Entry {
  /** How it is written, for example `--limit N` or `[AGENT]`. */
  readonly usage: string
  readonly text: string
}

/** A command, as the manual describes it. */
export interface CommandPage {
  readonly name: string
  readonly brief: string
  readonly usage: string
  readonly paragraphs: readonly string[]
  readonly args: readonly Entry[]
  readonly options: readonly Entry[]
  readonly examples: readonly (readonly [call: string, what: string])[]
  /** What `--json` prints, in a sentence. */
  readonly json: string
  /** The members of the JSON; empty if the API describes them. */
  readonly members: readonly Entry[]
}

interface Flag {
  readonly kind: 'boolean' | 'enum' | 'parsed' | 'counter'
  readonly brief: string
  readonly placeholder?: string
  readonly values?: readonly string[]
  readonly default?: string | boolean
  readonly optional?: boolean
  readonly variadic?: boolean
  readonly hidden?: boolean
}

/** All commands. */
export async function describeCommands(): Promise<CommandPage[]> {
  return await Promise.all(allCommands().map(describe))
}

/** The options that all commands have. */
export function commonOptions(): Entry[] {
  return optionsOf(commonFlags as never, commonAliases)
}

async function describe({ name, definition }: NamedCommand): Promise<CommandPage> {
  const { brief, description = brief, examples = [], flags, aliases, positional, json } = definition
  const args = argumentUsages(positional as never).map(({ usage, brief: text }) => ({
    usage,
    text,
  }))
  const { bodyOf, anyBody, hasNames, lines } = json
  const names = hasNames ? ', with the names of people next to their ids' : ''
  const each = lines === undefined ? '' : ', one a line'
  return {
    name,
    brief,
    usage: ['slipway', name, ...args.map(({ usage }) => usage), '[OPTIONS]'].join(' '),
    paragraphs: description === brief ? [] : description.replaceAll('\n', ' ').split(/ {2,}/),
    args,
    options: optionsOf((flags ?? {}) as never, (aliases ?? {}) as never),
    examples,
    json: anyBody
      ? 'the body of the response'
      : bodyOf === undefined
        ? `these members${each}`
        : `the body of ${bodies(bodyOf)}${each}${names}`,
    members: json.schema === undefined ? [] : membersOf(await resultSchema(name)),
  }
}

/** Operations whose bodies a command prints, one for each of its forms. */
function bodies(bodyOf: string | readonly string[]): string {
  const operations = typeof bodyOf === 'string' ? [bodyOf] : bodyOf
  return operations.map((each) => `\`${each.replace(' /', ' /api/v1/')}\``).join(' or ')
}

function optionsOf(
  flags: Readonly<Record<string, Flag>>,
  aliases: Readonly<Record<string, string>>,
): Entry[] {
  return Object.entries(flags)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([name, flag]) => {
      const short = Object.keys(aliases).find((alias) => aliases[alias] === name)
      const long = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      const isOn = flag.kind === 'boolean' && flag.default === true
      const usage = [
        short === undefined ? '' : `-${short}, `,
        isOn ? `--no-${long}` : `--${long}`,
        flag.kind === 'enum' ? ` ${flag.values?.join('|') ?? ''}` : '',
        flag.kind === 'parsed' ? ` ${(flag.placeholder ?? 'value').toUpperCase()}` : '',
      ].join('')
      return { usage, text: `${isOn ? 'Do not: ' : ''}${flag.brief}${noteOn(flag)}` }
    })
}

function noteOn({ kind, default: value, variadic, optional }: Flag): string {
  if (variadic === true) return '; can be repeated'
  if (kind === 'boolean' || value === undefined || value === '')
    return optional !== true && kind === 'parsed' && value === undefined ? ' (required)' : ''
  return ` (default: ${value})`
}

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
}

function membersOf(schema: Schema, path = ''): Entry[] {
  const { properties = {}, items, anyOf = [] } = schema
  return [
    ...Object.entries(properties).flatMap(([name, member]) => {
      const usage = `${path}.${name}`
      const values = member.enum === undefined ? '' : ` (${member.enum.join(', ')})`
      const text = `${member.description ?? ''}${values}`
      return [...(text === '' ? [] : [{ usage, text }]), ...membersOf(member, usage)]
    }),
    ...(items === undefined ? [] : membersOf(items, `${path}[]`)),
    ...anyOf.flatMap((each) => membersOf(each, path)),
  ]
}

/** Sections of the package's readme that the manual repeats: variables and exit codes. */
export function readmeTables(): { variables: Entry[]; exitCodes: Entry[] } {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| (?!---)(.+?) \| (.+) \|$/gm)].map(
    ([, usage = '', text = '']) => ({ usage: usage.replaceAll('`', ''), text }),
  )
  return {
    variables: rows.filter(({ usage }) => /^[A-Z_, ]+$/.test(usage)),
    exitCodes: rows.filter(({ usage }) => /^\d+$/.test(usage)),
  }
}
