import { spawn } from 'node:child_process'

const TIMEOUT_MS = 10 * 60_000

/** How a program runs. By default it has the environment of this process. */
export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a program to its end. Throws with what it printed if it fails. */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  { cwd, env }: RunOptions = {},
): Promise<void> {
  const child = spawn(program, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`can't run ${program}`, { cause })))
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${program} exited with ${String(code)}:\n${output.slice(-6000)}`)
}
