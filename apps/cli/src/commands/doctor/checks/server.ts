import { failed, fetchJson, ok, reasonOf, warning, type Check } from '../check.ts'

const MAX_CLOCK_DIFFERENCE_MS = 30_000

/** Whether Slipway answers at the address. Also returns the time of the server. */
export async function checkHttp(
  server: string,
  signal: AbortSignal,
): Promise<{ readonly check: Check; readonly date: string | undefined }> {
  const name = 'server'
  try {
    const { response, body } = await fetchJson(`${server}/`, signal)
    const date = response.headers.get('date') ?? undefined
    if ((body as { name?: unknown } | undefined)?.name === 'Slipway')
      return { check: ok(name, `Slipway answers at ${server}`), date }
    const detail = `${server} answers with ${response.status}, and is not Slipway`
    return { check: failed(name, detail, 'check the address; it must not end in /api/v1'), date }
  } catch (error) {
    const detail = `no answer: ${reasonOf(error, signal)}`
    const check = failed(name, detail, 'try again; if it goes on, ask the operator of the server')
    return { check, date: undefined }
  }
}

/** Whether the server has our version. */
export async function checkVersion(
  server: string,
  ours: string,
  signal: AbortSignal,
): Promise<Check> {
  const name = 'version'
  try {
    const { body } = await fetchJson(`${server}/api/v1/openapi.json`, signal)
    const theirs = (body as { info?: { version?: string } } | undefined)?.info?.version
    if (theirs === undefined)
      return warning(name, 'the server does not say its version', 'update the server')
    return compareVersions(ours, theirs)
  } catch (error) {
    return warning(name, `not known: ${reasonOf(error, signal)}`, 'try again')
  }
}

/** Releases with the same major version, or while it is 0 the same minor one, fit together. */
export function compareVersions(ours: string, theirs: string): Check {
  const name = 'version'
  if (ours === theirs) return ok(name, `server and command line are ${ours}`)
  const detail = `the server is ${theirs}, the command line ${ours}`
  if (lineOf(ours) === lineOf(theirs)) return ok(name, detail)
  const isOlder = ours.localeCompare(theirs, 'en', { numeric: true }) < 0
  return warning(
    name,
    detail,
    isOlder
      ? 'npm install --global slipway@latest'
      : `if a command fails, use the version of the server: npx slipway@${theirs}`,
  )
}

function lineOf(version: string): string {
  const [major = '', minor = ''] = version.split('.')
  return major === '0' ? `${major}.${minor}` : major
}

/** Whether our clock is that of the server. `date` is the header of a response just received. */
export function checkClock(date: string | undefined, now: number): Check {
  const name = 'clock'
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return ok(name, 'the server does not say its time')
  const difference = now - theirs
  const seconds = Math.round(Math.abs(difference) / 1000)
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS)
    return ok(name, `differs from the server's by ${seconds} s`)
  return warning(
    name,
    `is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} the server's`,
    'set the clock of this machine; tokens may seem expired, or not valid yet',
  )
}
