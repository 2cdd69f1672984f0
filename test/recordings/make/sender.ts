import type { ExpectedTrace } from '@slipway/testing/recordings'
import type { ScenarioName } from './scenarios.ts'

/** One recording of a sender. */
export interface SenderCase {
  /** Whether the program and the settings are those of the sender's page in the guide. */
  readonly isGuide?: true
  /** What the program does. By default the scenario with the case's name. */
  readonly scenario?: ScenarioName
  /** Settings that a user makes in the environment, in addition to the endpoint. */
  readonly env?: Readonly<Record<string, string>>
  /** What the program does differently from its other cases. Added to that of the defaults. */
  readonly mode?: string
  /** Where what must be shown isn't what the scenario says, for each turn. */
  readonly expected?: Partial<ExpectedTrace>
  /** What this sender doesn't send, and the setting that makes it send that. */
  readonly notSent?: Readonly<Record<string, string>>
}

/** What a sender without spans of tools doesn't send. */
export const NO_TOOLS = {
  tools: 'a span for each tool, made by the program',
  kinds: 'as tools',
} as const

/** A library that sends traces, as used by one program. */
export interface Sender {
  readonly name: string
  /** Has the program (program.py or program.ts) and its list of packages. */
  readonly folder: string
  /** A program in the folder of another sender. */
  readonly program?: string
  readonly runtime: 'python' | 'node'
  /** The packages whose versions a recording names. */
  readonly packages: readonly string[]
  readonly cases: Readonly<Record<string, SenderCase>>
  /** Applies to all cases, unless they say otherwise. */
  readonly defaults?: Omit<SenderCase, 'scenario'>
}
