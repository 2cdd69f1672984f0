const OVERRIDES = /"overrides": (\{.*\})/
const BUILD = /"build_id": "([\w.-]+)"/

/**
 * Advice of the API, with the options of the command line in place of the fields of a request: an
 * override becomes `--set 'PATH=VALUE'`, and a build `--build ID`.
 */
export function asOptions(advice: string): string {
  return advice
    .replace(OVERRIDES, (fields, json: string) => setOptions(json) ?? fields)
    .replace(BUILD, '--build $1')
    .replace('and register a build that starts', 'fix the program, then slipway push')
    .replaceAll('`user_credentials`', '--env-file or --secrets-from')
}

function setOptions(json: string): string | undefined {
  try {
    return Object.entries(JSON.parse(json) as object)
      .map(([path, value]) => `--set '${path}=${textOf(value)}'`)
      .join(' ')
  } catch {
    return undefined
  }
}

/** A text that looks like JSON keeps its quotes. */
function textOf(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[A-Za-z0-9]*[A-Za-z]+[A-Za-z0-9]*$/.test(value)
  const isWord = isPlain && !['true', 'false', 'null'].includes(value)
  return isWord ? value : JSON.stringify(value)
}
