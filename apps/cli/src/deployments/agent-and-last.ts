import { parseAgentName, type AgentReference } from '../command/agent-reference.ts'
import { usageError } from '../errors/cli-error.ts'

/** Parses a revision like `4`. */
export function parseRevision(text: string): number {
  const revision = Number(text)
  if (/^\d{1,10}$/.test(text) && revision >= 1 && revision < 2 ** 31) return revision
  throw new Error(`"${text}" is not a revision; slipway history lists them`)
}

/** Parses the name of an agent, or a revision if it is a number. */
export function parseAgentOrRevision(text: string): AgentReference | number {
  return /^\d+$/.test(text) ? parseRevision(text) : parseAgentName(text)
}

/** Splits `[AGENT] [REVISION …]`, whose agent may be left out. */
export function splitRevisions(
  first: AgentReference | number | undefined,
  others: readonly (number | undefined)[],
): { readonly agent: AgentReference | undefined; readonly revisions: readonly number[] } {
  const revisions = others.filter((each) => each !== undefined)
  return typeof first === 'number'
    ? { agent: undefined, revisions: [first, ...revisions] }
    : { agent: first, revisions }
}

/** Splits `[AGENT] NAME`, whose agent may be left out. */
export function splitName(
  first: string | undefined,
  second: string | undefined,
  what: string,
): { readonly agent: AgentReference | undefined; readonly name: string } {
  const name = second ?? first
  if (name === undefined) throw usageError(`${what} is missing`, 'the command with --help')
  const agent = first === undefined || second === undefined ? undefined : parseAgentName(first)
  return { agent, name }
}
