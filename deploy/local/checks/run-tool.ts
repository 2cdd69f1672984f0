import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Runs a program of the workspace or the system; returns its output if it fails. */
export async function runTool(
  checkout: string,
  program: string,
  args: readonly string[],
): Promise<string | undefined> {
  const path = `${join(checkout, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  const env = { ...process.env, PATH: path, NO_COLOR: '1' }
  const child = spawn(program, args, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => output.push(chunk))
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code === 0) return undefined
  const text = Buffer.concat(output).toString('utf8').trim()
  return text || `${program} exited with code ${code} and no output`
}
