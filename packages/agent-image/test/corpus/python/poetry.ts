import type { CorpusProject } from '../corpus-project.ts'
import { BACKENDS, pyproject, serve } from './serve.ts'

/** What Poetry is called with in these projects. */
const BY_POETRY = {
  run: 'full',
  language: 'python',
  manager: 'poetry',
  lock: ['lock'],
  install: [['install', '--only', 'main']],
  environment: {
    POETRY_NO_INTERACTION: '1',
    POETRY_VIRTUALENVS_IN_PROJECT: 'true',
    // By itself, Poetry adds pip to new environments.
    POETRY_VIRTUALENVS_OPTIONS_NO_PIP: 'true',
  },
} as const

/** Poetry asks PyPI in a way that mirrors don't answer, but others as an index of packages. */
const SOURCE = `
[[tool.poetry.source]]
name = "packages"
url = "https://pypi.org/simple/"
`

/** Projects whose manager is Poetry. */
export const poetryProjects: readonly CorpusProject[] = [
  {
    ...BY_POETRY,
    name: 'poetry-plain',
    run: 'gate',
    files: {
      'pyproject.toml': `[tool.poetry]
name = "poetry-plain"
version = "1.0.0"
description = ""
authors = []

[tool.poetry.dependencies]
python = "^3.11"
tabulate = "^0.9"

[tool.poetry.group.dev.dependencies]
iniconfig = "*"
${SOURCE}
${BACKENDS.poetry}`,
      'poetry_plain/__init__.py': '',
      'main.py': serve(
        'import importlib.util, poetry_plain, tabulate',
        '(poetry_plain.__file__, tabulate.__version__, importlib.util.find_spec("iniconfig"))',
      ),
    },
    answer: "('/app/poetry_plain/__init__.py', '0.9.0', None)",
  },
  {
    ...BY_POETRY,
    name: 'poetry-script',
    files: {
      'pyproject.toml': pyproject(
        'poetry-script',
        ['attrs (>=25)'],
        `[project.scripts]
agent = "talk.server:main"

[project.optional-dependencies]
full = ["iniconfig"]

[tool.poetry]
packages = [{ include = "talk", from = "src" }]

[tool.poetry.group.docs]
optional = true

[tool.poetry.group.docs.dependencies]
iniconfig = "*"
${SOURCE}
${BACKENDS.poetry}`,
      ),
      'src/talk/__init__.py': '',
      'src/talk/server.py': serve('import attrs, talk', 'talk.__file__'),
    },
    answer: '/app/src/talk/__init__.py',
  },
  {
    ...BY_POETRY,
    name: 'poetry-native',
    run: 'long',
    files: {
      'pyproject.toml': `[tool.poetry]
package-mode = false

[tool.poetry.dependencies]
python = ">=3.11,<4"
numpy = "*"
orjson = "^3.10"
uvicorn = { version = "*", extras = ["standard"] }
${SOURCE}`,
      'main.py': serve('import httptools, numpy, orjson', 'orjson.dumps(int(numpy.sum([1, 2])))'),
    },
    answer: '3',
  },
  {
    ...BY_POETRY,
    name: 'poetry-path',
    files: {
      'pyproject.toml': `[tool.poetry]
name = "poetry-path"
version = "1.0.0"
description = ""
authors = []
package-mode = false

[tool.poetry.dependencies]
python = "^3.11"
linked = { path = "libs/linked", develop = true }
copied = { path = "libs/copied" }
${SOURCE}`,
      'libs/linked/pyproject.toml': pyproject('linked', ['attrs'], BACKENDS.poetry),
      'libs/linked/src/linked/__init__.py': '',
      'libs/copied/pyproject.toml': pyproject('copied', [], BACKENDS.poetry),
      'libs/copied/copied/__init__.py': 'TEXT = "copied"\n',
      'main.py': serve('import attrs, copied, linked', '(linked.__file__, copied.TEXT)'),
    },
    answer: "('/app/libs/linked/src/linked/__init__.py', 'copied')",
  },
]
