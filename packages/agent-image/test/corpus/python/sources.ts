import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defaultCacheDirectory } from '../../../src/image/layer-cache.ts'
import type { CorpusProject } from '../corpus-project.ts'
import { BY_PIP, pipInstall } from './pip.ts'
import { BACKENDS, pyproject, serve } from './serve.ts'
import { BY_UV } from './uv.ts'

/** A repository on this machine, at the same place for builds and in the roots of managers. */
const REPOSITORY = join(dirname(defaultCacheDirectory()), 'corpus', 'repository')
const ADDRESS = `git+file://${REPOSITORY}`

async function makeRepository(): Promise<void> {
  if (existsSync(REPOSITORY)) return
  mkdirSync(dirname(REPOSITORY), { recursive: true })
  const draft = mkdtempSync(join(dirname(REPOSITORY), '.draft-'))
  const files = {
    'pyproject.toml': pyproject('cloned', ['attrs==25.3.0'], BACKENDS.hatch),
    'src/cloned/__init__.py': 'TEXT = "from a repository"\n',
    'parts/part/pyproject.toml': pyproject('part', [], BACKENDS.hatch),
    'parts/part/part/__init__.py': 'TEXT = "from a folder of a repository"\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(draft, path)), { recursive: true })
    writeFileSync(join(draft, path), text)
  }
  const git = (...args: string[]) => execFileSync('git', ['-C', draft, ...args])
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'First')
  git('tag', 'v1.0.0')
  renameSync(draft, REPOSITORY)
}

/** Projects whose packages are repositories and sources. */
export const sourceProjects: readonly CorpusProject[] = [
  {
    ...BY_PIP,
    name: 'pip-no-binary',
    install: pipInstall('-r', 'requirements.txt'),
    files: {
      'requirements.txt': '--no-binary tabulate\ntabulate==0.9.0\nattrs==25.3.0\n',
      'main.py': serve('import attrs, tabulate', 'tabulate.__version__'),
    },
    answer: '0.9.0',
  },
  {
    ...BY_PIP,
    name: 'pip-repository',
    make: makeRepository,
    install: pipInstall('-r', 'requirements.txt'),
    files: {
      'requirements.txt':
        `${ADDRESS}@v1.0.0#egg=cloned\n` + `${ADDRESS}@main#egg=part&subdirectory=parts/part\n`,
      'main.py': serve('import attrs, cloned, part', 'cloned.TEXT + ", " + part.TEXT'),
    },
    answer: 'from a repository, from a folder of a repository',
  },
  {
    ...BY_UV,
    name: 'uv-repository',
    make: makeRepository,
    files: {
      'pyproject.toml': pyproject(
        'uv-repository',
        ['cloned', 'part'],
        `[tool.uv.sources]\ncloned = { git = "file://${REPOSITORY}", tag = "v1.0.0" }\n` +
          `part = { git = "file://${REPOSITORY}", subdirectory = "parts/part" }\n`,
      ),
      'main.py': serve('import attrs, cloned, part', 'cloned.TEXT + ", " + part.TEXT'),
    },
    answer: 'from a repository, from a folder of a repository',
  },
  {
    ...BY_PIP,
    name: 'pip-editable-itself',
    command: 'python -u -m served',
    install: pipInstall('-r', 'requirements.txt'),
    files: {
      'requirements.txt': '-e .[full]\n',
      'pyproject.toml': pyproject(
        'served',
        [],
        '[project.optional-dependencies]\nfull = ["attrs==25.3.0"]\n' +
          'windows = ["colorama"]\n' +
          BACKENDS.hatch,
      ),
      'src/served/__init__.py': '',
      'src/served/__main__.py': serve('import attrs, served', 'served.__file__'),
    },
    answer: '/app/src/served/__init__.py',
  },
  {
    ...BY_PIP,
    name: 'pip-path-file',
    install: pipInstall('-r', 'requirements.txt'),
    files: {
      'requirements.txt': './added\n',
      'added/pyproject.toml':
        pyproject('added', [], BACKENDS.hatch) +
        '[tool.hatch.build.targets.wheel]\npackages = ["added"]\n' +
        '[tool.hatch.build.targets.wheel.force-include]\n' +
        '"added.pth" = "added.pth"\n"plugins" = "added_plugins"\n',
      'added/added.pth': 'added_plugins\nimport added; added.STARTED = "by its .pth file"\n',
      'added/added/__init__.py': 'STARTED = None\n',
      'added/plugins/plugged.py': 'TEXT = "a module in a folder that it adds"\n',
      'main.py': serve('import added, plugged', 'f"{plugged.TEXT}, started {added.STARTED}"'),
    },
    answer: 'a module in a folder that it adds, started by its .pth file',
  },
]
