import type { CorpusProject } from '../corpus-project.ts'
import { BACKENDS, pyproject, serve } from './serve.ts'

/** What PDM is called with in these projects. */
const BY_PDM = {
  run: 'full',
  language: 'python',
  manager: 'pdm',
  lock: ['lock'],
  install: [['install', '--prod', '--frozen-lockfile']],
  environment: { PDM_CHECK_UPDATE: 'false', PDM_NON_INTERACTIVE: '1' },
} as const

/** Projects whose manager is PDM. */
export const pdmProjects: readonly CorpusProject[] = [
  {
    ...BY_PDM,
    name: 'pdm-plain',
    run: 'long',
    files: {
      'pyproject.toml': pyproject(
        'pdm-plain',
        ['tabulate'],
        `[dependency-groups]\ntest = ["iniconfig"]\n${BACKENDS.pdm}`,
      ),
      'src/pdm_plain/__init__.py': '',
      'main.py': serve('import pdm_plain, tabulate', 'pdm_plain.__file__'),
    },
    answer: '/app/src/pdm_plain/__init__.py',
  },
  {
    ...BY_PDM,
    name: 'pdm-application',
    files: {
      'pyproject.toml': pyproject(
        'pdm-application',
        ['attrs', 'colorama; sys_platform == "win32"'],
        '[project.optional-dependencies]\nfull = ["iniconfig"]\n[tool.pdm]\ndistribution = false\n',
      ),
      'app.py': serve('import attrs', 'attrs.__name__'),
    },
    answer: 'attrs',
  },
]
