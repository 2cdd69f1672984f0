import { parseEnv } from 'node:util'
import { readAgentFile } from '../agent-file.ts'

/** A variable that a program reads, as an `input` of a spec. */
interface FoundInput {
  readonly name: string
  readonly datatype: 'string'
  readonly secret?: true
  readonly optional?: true
  readonly default?: string
}

/** Examples of a file with variables, which authors commit. */
const EXAMPLES = ['.env.example', '.env.sample', '.env.template']
const SECRET = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE|DSN/i
/** Variables that a deploy sets: the port of the spec, and where traces go. */
const NOT_INPUTS = /^(?:PORT|HOST|NODE_ENV|OTEL_\w+)$/
const NAME = /^[A-Za-z_]\w*$/
/** An address with a login, or with names in its place. */
const LOGIN = /:\/\/[^/@\s]+@/
const MOST = 50

/** Finds the variables of a program in the example of its `.env`, and which of them are secrets. */
export async function foundInputs(
  folder: string,
): Promise<{ readonly file: string; readonly inputs: readonly FoundInput[] }> {
  for (const file of EXAMPLES) {
    const text = await readAgentFile(folder, file)
    if (text === undefined) continue
    const variables = Object.entries(parseEnv(text)).filter(
      ([name]) => NAME.test(name) && !NOT_INPUTS.test(name),
    )
    return { file, inputs: variables.slice(0, MOST).map(([name, value]) => input(name, value)) }
  }
  return { file: '', inputs: [] }
}

function input(name: string, value = ''): FoundInput {
  // An example of a secret does not become its value.
  if (SECRET.test(name) || LOGIN.test(value)) return { name, datatype: 'string', secret: true }
  return value === ''
    ? { name, datatype: 'string', optional: true }
    : { name, datatype: 'string', default: value }
}
