import type { CorpusProject } from '../corpus-project.ts'

/** The projects in Python. */
export const pythonProjects: readonly CorpusProject[] = []
