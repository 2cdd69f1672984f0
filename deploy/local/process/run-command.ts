import { spawn } from 'node:child_process'

/** The result of a short command. */
export interface CommandResult {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** Runs a short command and returns its result, even if it fails. */
export async function tryCommand(
  command: string,
  args: readonly string[],
  input?: string,
): Promise<CommandResult> {
  const path = `${process.env['PATH'] ?? '/usr/bin:/bin'}:/usr/local/sbin:/usr/sbin:/sbin`
  const child = spawn(command, args, { stdio: 'pipe', env: { ...process.env, PATH: path } })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.stdin.on('error', () => undefined) // a command may end before it has read all its input
  child.stdin.end(input ?? '')
  return await new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`can't run ${command}`, { cause })))
    child.once('close', (code) => resolve({ code, output, errors }))
  })
}

/** Runs a short command and returns its output; throws with its error output if it fails. */
export async function runCommand(
  command: string,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const { code, output, errors } = await tryCommand(command, args, input)
  if (code !== 0)
    throw new Error(
      `${command} ${args.join(' ')} exited with code ${code}: ${errors.trim() || output.trim()}`,
    )
  return output
}
