import { visible } from '../../text/visible.ts'
import type { LogLine } from './log-line.ts'

/** A line as it is copied and downloaded: with its whole time and names. */
export function lineText({ time, source, container, text }: LogLine): string {
  return [time, source, container, text].filter((part) => part !== '').join(' ')
}

/** Characters of a source in a line, as in its style. */
const MOST_CHARACTERS = 26
/** Pods of a component differ in the end of their names. */
const CHARACTERS_OF_END = 14

/**
 * Where a line is from, in few characters: without the name of the agent, which all its pods begin
 * with, and without a container that has the name of its component. The middle of a long name is
 * left out.
 */
export function shortSource({ source, container }: LogLine, agent: string): string {
  const pod = source.startsWith(`${agent}-`) ? source.slice(agent.length + 1) : source
  const isNamed = container !== '' && !pod.startsWith(`${container}-`)
  const name = visible(isNamed ? `${pod} ${container}` : pod)
  if (name.length <= MOST_CHARACTERS) return name
  const beginning = name.slice(0, MOST_CHARACTERS - CHARACTERS_OF_END - 1)
  return `${beginning}…${name.slice(-CHARACTERS_OF_END)}`
}

/** A number of lines in words, like `1 line` or `5000 lines`. */
export function lineCount(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`
}
