/** An output of the process. */
export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

const DEFAULT_COLUMNS = 80
const DEFAULT_ROWS = 24

/** Whether an output gets colors: see https://no-color.org and https://bixense.com/clicolors. */
export function usesColor(output: Output, env: NodeJS.ProcessEnv): boolean {
  if (env['NO_COLOR']) return false
  const forced = env['CLICOLOR_FORCE'] ?? env['FORCE_COLOR']
  if (forced !== undefined && forced !== '' && forced !== '0') return true
  if (env['CLICOLOR'] === '0' || env['TERM'] === 'dumb') return false
  return output.isTTY === true
}

/** The width of an output: that of the terminal, or else `COLUMNS`. */
export function columnsOf(output: Output, env: NodeJS.ProcessEnv): number {
  const given = Number(env['COLUMNS'])
  return output.columns || (Number.isInteger(given) && given > 0 ? given : DEFAULT_COLUMNS)
}

/** The height of an output. */
export function rowsOf(output: Output): number {
  return output.rows || DEFAULT_ROWS
}
