import { parseSpec, type ParsedSpec } from '../parse/parse-spec.ts'
import type { ProviderTable } from '../providers.ts'
import { SpecSyntaxError } from '../spec-syntax-error.ts'
import { specWarnings } from '../warnings/spec-warnings.ts'
import { BUILD_PROBLEM } from '../warnings/value-warnings.ts'
import { locateFields, type FieldPlace, type Position } from './locate-fields.ts'

/** A problem in a spec file, with its place. */
export interface SpecProblem {
  /** An `error` prevents a registration; a `warning` doesn't. */
  readonly severity: 'error' | 'warning'
  /** The path in the file; empty for the file as a whole. */
  readonly field: string
  readonly message: string
  /** Undefined if the problem has no place, for example that the file is too long. */
  readonly position: Position | undefined
}

/** Options of checkSpec. */
export interface CheckSpecOptions {
  /** The agent that the file will be registered for. Default: the name in the file. */
  readonly agentName?: string
  readonly providers?: ProviderTable
  /** Doesn't report containers that have only `build`, since a client builds their images. */
  readonly allowsBuilds?: boolean
}

/**
 * Returns all problems of the text of an `astroai.yml` with their lines and columns, in the order
 * of the file: those that a registration finds.
 */
export function checkSpec(text: string, options: CheckSpecOptions = {}): SpecProblem[] {
  let parsed: ParsedSpec
  try {
    parsed = parseSpec(text)
  } catch (error) {
    if (error instanceof SpecSyntaxError) return [ofSyntax(error)]
    throw error
  }
  const { agentName = parsed.spec.name ?? '', providers, allowsBuilds = false } = options
  const warnings = specWarnings(parsed, { agentName, ...(providers && { providers }) })
  if (warnings.length === 0) return []
  const locate = locateFields(text)
  return warnings
    .filter(({ message }) => !(allowsBuilds && message === BUILD_PROBLEM))
    .map(({ field, message }): SpecProblem => {
      const position = field === '' ? undefined : pointOf(locate(field), message)
      return { severity: 'warning', field, message, position }
    })
    .sort((a, b) => order(a) - order(b))
}

function ofSyntax(error: SpecSyntaxError): SpecProblem {
  const { line, column } = error
  const position = line === undefined || column === undefined ? undefined : { line, column }
  // The message of the error begins with its place.
  const message = error.message.replace(/^line \d+, column \d+: /, '')
  return { severity: 'error', field: '', message, position }
}

/** A wrong value is shown at the value; an unknown or incomplete key at the key. */
function pointOf({ key, value, isExact }: FieldPlace, message: string): Position {
  const isAboutKey = /^(unknown key|ignored: a name|not a valid name)/.test(message)
  return isExact && !isAboutKey ? (value ?? key) : key
}

const LONGEST_LINE = 1 << 24

function order({ position }: SpecProblem): number {
  return position === undefined ? -1 : position.line * LONGEST_LINE + position.column
}
