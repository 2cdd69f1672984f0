import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** What a program that has ended left. */
export interface ToolResult {
  readonly succeeded: boolean
  /** Its standard output. */
  readonly output: string
  /** Its standard output and error, in the order they came. */
  readonly messages: string
}

/** Runs a program of the workspace or the system; returns its output if it fails. */
export async function runTool(
  checkout: string,
  program: string,
  args: readonly string[],
): Promise<string | undefined> {
  const { succeeded, messages } = await toolResult(checkout, program, args)
  return succeeded ? undefined : messages || `${program} failed without a message`
}

/** Runs a program of the workspace or the system. */
export async function toolResult(
  checkout: string,
  program: string,
  args: readonly string[],
): Promise<ToolResult> {
  const path = `${join(checkout, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  const env = { ...process.env, PATH: path, NO_COLOR: '1' }
  const child = spawn(program, args, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  const messages: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    output.push(chunk)
    messages.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => messages.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return {
    succeeded: code === 0,
    output: Buffer.concat(output).toString('utf8'),
    messages: Buffer.concat(messages).toString('utf8').trim(),
  }
}
