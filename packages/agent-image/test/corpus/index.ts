import { CORPUS_RUNS, type CorpusProject, type CorpusRun } from './corpus-project.ts'
import { nodeProjects } from './node/index.ts'
import { pythonProjects } from './python/index.ts'

export { CORPUS_PORT, MODEL_IMAGE, type CorpusProject, type CorpusRun } from './corpus-project.ts'
export { preparedProject, prepareProjects } from './prepare.ts'

/** Returns the projects that a run has. */
export function corpusOf(run: CorpusRun): CorpusProject[] {
  const runs = CORPUS_RUNS.slice(0, CORPUS_RUNS.indexOf(run) + 1)
  return [...nodeProjects, ...pythonProjects].filter((project) => runs.includes(project.run))
}
