const OVERRIDES = /"overrides": (\{.*\})/
const REPAIR_RUN = 'repair it, then slipway push, slipway deploy and slipway trigger'
const BUILD = /"build_id": "([\w.-]+)"/

/**
 * Advice of the API, with the options of the command line in place of the fields of a request: an
 * override becomes `--set 'PATH=VALUE'`, and a build `--build ID`.
 */
export function asOptions(advice: string): string {
  return advice
    .replace(OVERRIDES, (fields, json: string) => setOptions(json) ?? fields)
    .replace(BUILD, '--build $1')
    .replace(/and register a build that \w+(?: \w+)?/, 'fix the program, then slipway push')
    .replace(', and register a build with it', ', then slipway push')
    .replace('Deploy again, which creates', 'Run slipway deploy again, which creates')
    .replace('deploy a build that repairs it, and start a run', REPAIR_RUN)
    .replace(/"([\w.-]+)" \(now ([^)]+)\)/g, '$1 (now $2)')
    .replace(/with an override/, "with --set 'PATH=VALUE'")
    .replace('`port` in the spec', '`port` in astroai.yml (then slipway push)')
    .replace('To keep to that one, roll back.', 'To keep to that one: slipway rollback')
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
