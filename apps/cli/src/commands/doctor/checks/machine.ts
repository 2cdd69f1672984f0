import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import type { Cli } from '../../../command/cli.ts'
import { sayKeyringDetail } from '../../../command/say-keyring-detail.ts'
import { CHECK_TIMEOUT_MS, failed, ok, reasonOf, warning, type Check } from '../check.ts'

const OTHERS = 0o077
const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']

/** Whether the folder of settings can be written, and only its user can read the tokens. */
export async function checkSettings({ tokens }: Cli): Promise<Check> {
  const name = 'settings'
  let path: string
  try {
    path = tokens.filePath
  } catch {
    return warning(
      name,
      'there is no folder for settings, because HOME is not set',
      'set HOME or SLIPWAY_CONFIG_DIR, or use SLIPWAY_URL and SLIPWAY_TOKEN',
    )
  }
  const folder = dirname(path)
  if (!(await isWritable(folder)))
    return failed(
      name,
      `${folder} can't be written`,
      'make it writable, or set SLIPWAY_CONFIG_DIR to another folder',
    )
  const mode = process.platform === 'win32' ? undefined : await modeOf(path)
  if (mode !== undefined && (mode & OTHERS) !== 0)
    return failed(name, `other users can read ${path}`, `chmod 600 ${path}`)
  return ok(name, folder)
}

/** Where tokens are stored: asks for the current context's, which tries the keyring. */
export async function checkKeyring(cli: Cli): Promise<Check> {
  const name = 'keyring'
  if (cli.env['SLIPWAY_TOKEN']) return ok(name, 'not used: SLIPWAY_TOKEN is set')
  try {
    const context = await cli.contexts.find(undefined)
    await cli.tokens.get(context?.name ?? 'doctor')
  } catch (error) {
    return failed(name, (error as Error).message, 'correct or delete the file, and sign in again')
  }
  if (cli.tokens.keyringProblem === undefined) return ok(name, 'tokens are stored in the keyring')
  if (cli.env['SLIPWAY_KEYRING'] === 'off')
    return ok(name, 'turned off: tokens are in a file that only you can read')
  sayKeyringDetail(cli)
  if (cli.tokens.isKeyringMissing && !hasDesktop(cli))
    return ok(name, `${cli.tokens.keyringProblem}: tokens are in a file that only you can read`)
  return warning(
    name,
    `can't be used: ${cli.tokens.keyringProblem}; tokens are in a file that only you can read`,
    'unlock or install a keyring (on Linux a Secret Service), or set SLIPWAY_KEYRING=off',
  )
}

/** Without a desktop, Linux has no keyring as a rule. */
function hasDesktop({ env }: Cli): boolean {
  return process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}

/** Node uses proxies of the environment only when asked to. */
export function checkProxy({ env }: Cli): Check {
  const name = 'proxy'
  const set = PROXIES.filter((each) => env[each])
  if (set.length === 0) return ok(name, 'none is set')
  if (env['NODE_USE_ENV_PROXY'] === '1') return ok(name, `${set.join(', ')} is used`)
  return warning(
    name,
    `${set.join(', ')} is set, but not used`,
    'set NODE_USE_ENV_PROXY=1 if the server is behind the proxy (needs Node 24)',
  )
}

/** Which programs can build images from a Dockerfile: an installed one may have no daemon. */
export async function checkBuilders({ signal }: Cli): Promise<Check> {
  const name = 'build tools'
  const { ENGINES, engineProblem } = await import('@slipway/agent-image')
  const within = AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)])
  const found = ENGINES.map(async (engine) => {
    const problem = await engineProblem(engine, within).catch((error: unknown) =>
      reasonOf(error, signal),
    )
    return { engine, problem }
  })
  const all = await Promise.all(found)
  const working = all.filter(({ problem }) => problem === undefined).map(({ engine }) => engine)
  if (working.length > 0) return ok(name, working.join(', '))
  const broken = all.find(({ problem = '' }) => !problem.endsWith('is not installed'))
  if (broken !== undefined)
    return warning(
      name,
      `${broken.engine} is installed, but can't be used: ${lastLine(broken.problem)}`,
      `start its service, or get the rights to use it: ${broken.engine} info`,
    )
  return warning(
    name,
    `none of ${ENGINES.join(', ')} is installed`,
    'install one of them, if your agent has a Dockerfile',
  )
}

function lastLine(text = ''): string {
  return text.trim().split('\n').at(-1) ?? ''
}

/** Whether a folder, or the first of its parents that exists, can be written. */
async function isWritable(folder: string): Promise<boolean> {
  if ((await modeOf(folder)) !== undefined) return await isAllowed(folder, constants.W_OK)
  const parent = dirname(folder)
  return parent !== folder && (await isWritable(parent))
}

async function isAllowed(path: string, mode: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  )
}

async function modeOf(path: string): Promise<number | undefined> {
  return await stat(path).then(
    ({ mode }) => mode,
    () => undefined,
  )
}
