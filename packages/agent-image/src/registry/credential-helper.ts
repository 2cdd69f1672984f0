import { spawn } from 'node:child_process'
import type { Credentials } from './login.ts'

const TIMEOUT_MS = 60_000
const LONGEST_OUTPUT = 1 << 20

/**
 * Asks a program `docker-credential-<name>` for the credentials of a server. Undefined if it has
 * none. Throws if it is missing or fails; `origin` says which file names it.
 */
export async function askCredentialHelper(
  name: string,
  server: string,
  origin: string,
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<Credentials | undefined> {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`${origin}: ${name} is not a credential helper`)
  const program = `docker-credential-${name}`
  const { code, output, errors } = await run(program, server, origin, environment, signal)
  const said = (errors || output).trim()
  if (code !== 0) {
    if (/credentials not found|no credentials|not found in native/i.test(said)) return undefined
    throw new Error(`${program} failed for ${server}: ${said.slice(0, 300) || `exit code ${code}`}`)
  }
  const { Username: user = '', Secret: secret = '' } = parse(output, program)
  if (secret === '') return undefined
  return user === '<token>'
    ? { kind: 'identity-token', token: secret, source: program }
    : { kind: 'password', user, password: secret, source: program }
}

function parse(output: string, program: string): { Username?: string; Secret?: string } {
  try {
    return JSON.parse(output) as { Username?: string; Secret?: string }
  } catch {
    // The output may have a secret, so the message doesn't repeat it.
    throw new Error(`${program} returned something that is not JSON`)
  }
}

async function run(
  program: string,
  server: string,
  origin: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<{ code: number | null; output: string; errors: string }> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const child = spawn(program, ['get'], {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(0, LONGEST_OUTPUT)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000)
  })
  // A program may end without reading its input.
  child.stdin.on('error', () => undefined).end(server)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const problem = timeout.aborted
        ? `didn't answer within ${TIMEOUT_MS / 1000} s`
        : cause.code === 'ENOENT'
          ? 'is not installed or not in PATH'
          : cause.message
      reject(new Error(`${program}, which ${origin} names, ${problem}`, { cause }))
    })
    child.once('close', resolve)
  })
  return { code, output, errors }
}
