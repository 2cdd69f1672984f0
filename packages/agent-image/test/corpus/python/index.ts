import type { CorpusProject } from '../corpus-project.ts'
import { backendProjects } from './backends.ts'
import { frameworkProjects } from './frameworks.ts'
import { pdmProjects } from './pdm.ts'
import { pipProjects } from './pip.ts'
import { poetryProjects } from './poetry.ts'
import { uvProjects } from './uv.ts'

/** The projects in Python. */
export const pythonProjects: readonly CorpusProject[] = [
  ...uvProjects,
  ...poetryProjects,
  ...pdmProjects,
  ...pipProjects,
  ...backendProjects,
  ...frameworkProjects,
]
