import type { CorpusProject } from '../corpus-project.ts'
import { npmProjects } from './npm.ts'

/** The projects for Node.js. */
export const nodeProjects: readonly CorpusProject[] = [...npmProjects]
