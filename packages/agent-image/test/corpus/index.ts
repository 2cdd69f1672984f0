import { CORPUS_RUNS, type CorpusProject, type CorpusRun } from './corpus-project.ts'
import { nodeProjects } from './node/index.ts'
import { pythonProjects } from './python/index.ts'

export { CORPUS_PORT, MODEL_IMAGE, type CorpusProject, type CorpusRun } from './corpus-project.ts'
export { preparedProject, prepareProjects } from './prepare.ts'

/** Names of projects, or a language, for a run of a few by hand. */
const only = process.env['SLIPWAY_CORPUS_ONLY']?.split(',') ?? []

/** Returns the projects that a run has. */
export function corpusOf(run: CorpusRun): CorpusProject[] {
  const runs = CORPUS_RUNS.slice(0, CORPUS_RUNS.indexOf(run) + 1)
  return [...nodeProjects, ...pythonProjects].filter(
    ({ name, language, run: first }) =>
      runs.includes(first) && (only.length === 0 || only.includes(name) || only.includes(language)),
  )
}
