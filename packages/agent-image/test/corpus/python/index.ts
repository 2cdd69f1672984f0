import type { CorpusProject } from '../corpus-project.ts'
import { backendProjects } from './backends.ts'
import { frameworkProjects } from './frameworks.ts'
import { pdmProjects } from './pdm.ts'
import { pipProjects } from './pip.ts'
import { poetryProjects } from './poetry.ts'
import { sourceProjects } from './sources.ts'
import { uvProjects } from './uv.ts'

/** The projects in Python. */
export const pythonProjects: readonly CorpusProject[] = [
  ...uvProjects,
  ...poetryProjects,
  ...pdmProjects,
  // Before the others: what it builds from sources must not be in their images.
  ...sourceProjects,
  ...pipProjects,
  ...backendProjects,
  ...frameworkProjects,
]
