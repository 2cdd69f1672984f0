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

/** A value of `--set`: JSON, for example `2`, `true` or `{"memory": "1Gi"}`, or else a text. */
export function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
