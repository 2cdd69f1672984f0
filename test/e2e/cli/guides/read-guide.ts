import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../../../docs/guide')
const FENCED = /^```(\w*)\n(.*?)^```/gms
/** Languages of blocks that a reader does not type into a shell. */
const DATA = new Set(['ini', 'js', 'json', 'python', 'ts', 'yaml'])
/** The lines of a CI job that its shell runs. */
const STEPS = /^ *(?:- run: |- (?=[a-z]+[ =]))(.+)$/gm

/** The blocks of a guide that a reader types into a shell, and what its CI jobs run. */
export function shellBlocks(guide: string): string[] {
  const text = readFileSync(join(FOLDER, guide), 'utf8')
  return [...text.matchAll(FENCED)].flatMap(([, language = '', block = '']) => {
    if (!DATA.has(language)) return [block]
    const steps = [...block.matchAll(STEPS)].map(([, step = '']) => step)
    return steps.length > 0 && /slipway/.test(block) ? [`${steps.join('\n')}\n`] : []
  })
}
