import { usageError } from '../errors/cli-error.ts'

/** Splits `NAME=VALUE` at its first equals sign. */
export function splitAssignment(
  text: string,
  option: string,
): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw usageError(`${option} ${text} has no value`, `write ${option} NAME=VALUE`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** Overrides that are texts, though they may look like numbers: `2` CPUs, or a version `1.10`. */
const TEXTS = /(?:^|\.)(?:environment\..+|(?:requests|limits)\.(?:cpu|memory)|storage\.size)$/

/** A value of `--set`: JSON, for example `2`, `true` or `{"memory": "1Gi"}`, or else a text. */
export function parseValue(text: string, path: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return TEXTS.test(path) && ['number', 'boolean'].includes(typeof value) ? text : value
  } catch {
    return text
  }
}
