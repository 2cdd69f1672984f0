import type { CorpusProject } from '../corpus-project.ts'
import { bunProjects } from './bun.ts'
import { npmLayouts } from './npm-layouts.ts'
import { npmProjects } from './npm.ts'
import { pnpmProjects } from './pnpm.ts'
import { quickStarts } from './quick-starts.ts'
import { yarnProjects } from './yarn.ts'

/** The projects for Node.js. */
export const nodeProjects: readonly CorpusProject[] = [
  ...npmProjects,
  ...npmLayouts,
  ...pnpmProjects,
  ...yarnProjects,
  ...bunProjects,
  ...quickStarts,
]
