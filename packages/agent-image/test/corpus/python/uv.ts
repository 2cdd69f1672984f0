import type { CorpusProject } from '../corpus-project.ts'
import { BACKENDS, pyproject, serve } from './serve.ts'

/** What uv is called with in these projects, for the Python that images have. */
export const BY_UV = {
  run: 'full',
  language: 'python',
  manager: 'uv',
  lock: ['lock'],
  install: [['sync', '--locked', '--no-dev']],
  environment: { UV_PYTHON: '/usr/bin/python3', UV_PYTHON_DOWNLOADS: 'never' },
} as const

const { lock: _lock, ...UNLOCKED } = BY_UV

const HAS_INICONFIG = 'importlib.util.find_spec("iniconfig") is not None'

/** Projects whose manager is uv. */
export const uvProjects: readonly CorpusProject[] = [
  {
    ...BY_UV,
    name: 'uv-plain',
    run: 'gate',
    files: {
      'pyproject.toml': pyproject(
        'uv-plain',
        ['tabulate'],
        '[dependency-groups]\ndev = ["iniconfig"]\n',
      ),
      'main.py': serve(
        'import importlib.util, shutil, tabulate',
        `(tabulate.tabulate([[1]]), shutil.which("tabulate"), ${HAS_INICONFIG})`,
      ),
    },
    answer: "/app/.venv/bin/tabulate', False)",
  },
  {
    ...BY_UV,
    name: 'uv-workspace',
    run: 'gate',
    folder: 'agents/hello',
    install: [['sync', '--locked', '--no-dev', '--package', 'hello']],
    files: {
      'pyproject.toml':
        '[tool.uv.workspace]\nmembers = ["agents/*", "libs/*"]\n' +
        '[tool.uv.sources]\nshared-text = { workspace = true }\n',
      'agents/hello/pyproject.toml': pyproject('hello', ['shared_text', 'tabulate']),
      'agents/hello/main.py': serve('import shared_text', 'shared_text.text()'),
      'libs/shared/pyproject.toml': pyproject('shared-text', ['attrs'], BACKENDS.hatch),
      'libs/shared/src/shared_text/__init__.py':
        'import attrs\n\n\ndef text():\n    return f"{__file__} {attrs.__name__}"\n',
      'libs/other/pyproject.toml': pyproject('other', ['iniconfig'], BACKENDS.hatch),
      'libs/other/src/other/__init__.py': '',
    },
    answer: '/workspace/libs/shared/src/shared_text/__init__.py attrs',
  },
  {
    ...BY_UV,
    name: 'uv-workspace-root',
    install: [['sync', '--locked', '--no-dev']],
    files: {
      'pyproject.toml': pyproject(
        'whole',
        ['part'],
        '[tool.uv.workspace]\nmembers = ["parts/*"]\n' +
          '[tool.uv.sources]\npart = { workspace = true }\n',
      ),
      'main.py': serve('import part', 'part.TEXT'),
      'parts/part/pyproject.toml': pyproject('part', [], BACKENDS.hatch),
      'parts/part/src/part/__init__.py': 'TEXT = "a member of the root"\n',
    },
    answer: 'a member of the root',
  },
  {
    ...BY_UV,
    name: 'uv-script',
    run: 'long',
    files: {
      'pyproject.toml': pyproject(
        'uv-script',
        ['attrs'],
        '[project.scripts]\nuv-script = "served.main:main"\n' +
          '[build-system]\nrequires = ["uv_build"]\nbuild-backend = "uv_build"\n' +
          '[tool.uv.build-backend]\nmodule-name = "served"\n',
      ),
      'README.md': 'A script of a package in src.\n',
      'src/served/__init__.py': '',
      'src/served/main.py': serve('import attrs, sys', 'sys.argv[0]'),
    },
    answer: '/app/.venv/bin/uv-script',
  },
  {
    ...BY_UV,
    name: 'uv-groups',
    files: {
      'pyproject.toml': pyproject(
        'uv-groups',
        [],
        '[dependency-groups]\ndev = ["iniconfig"]\nruntime = ["attrs"]\n' +
          '[project.optional-dependencies]\nfull = ["iniconfig"]\n' +
          '[tool.uv]\ndefault-groups = ["dev", "runtime"]\n',
      ),
      'main.py': serve('import attrs, importlib.util', HAS_INICONFIG),
    },
    answer: 'False',
  },
  {
    ...BY_UV,
    name: 'uv-path-sources',
    files: {
      'pyproject.toml': pyproject(
        'uv-path-sources',
        ['copied', 'linked'],
        '[tool.uv.sources]\ncopied = { path = "libs/copied" }\n' +
          'linked = { path = "libs/linked", editable = true }\n',
      ),
      'main.py': serve('import copied, linked', '(copied.__file__, linked.__file__)'),
      'libs/copied/pyproject.toml': pyproject('copied', [], BACKENDS.hatch),
      'libs/copied/src/copied/__init__.py': '',
      'libs/linked/pyproject.toml': pyproject('linked', [], BACKENDS.setuptools),
      'libs/linked/src/linked/__init__.py': '',
    },
    answer: '/app/libs/linked/src/linked/__init__.py',
  },
  {
    ...BY_UV,
    name: 'uv-python-version',
    files: {
      '.python-version': '3.11\n',
      'pyproject.toml': pyproject(
        'uv-python-version',
        ['attrs', 'colorama; python_version >= "3.12"', 'iniconfig; sys_platform == "win32"'],
        '[tool.uv]\npackage = true\n',
      ),
      'src/uv_python_version/__init__.py': '',
      'main.py': serve('import attrs, uv_python_version', 'uv_python_version.__file__'),
    },
    answer: '/app/src/uv_python_version/__init__.py',
  },
  {
    ...BY_UV,
    name: 'uv-command',
    command: 'python -m served --port $PORT',
    files: {
      'pyproject.toml':
        pyproject('uv-command', ['attrs'], BACKENDS.hatch) +
        '[tool.hatch.build.targets.wheel]\npackages = ["src/served"]\n',
      'src/served/__init__.py': '',
      'src/served/__main__.py': serve('import attrs, sys', 'sys.argv[1:]'),
    },
    answer: "['--port', '8080']",
  },
  {
    ...BY_UV,
    name: 'uv-native',
    run: 'long',
    files: {
      'pyproject.toml': pyproject('uv-native', ['numpy', 'orjson', 'pydantic']),
      'main.py': serve(
        'import numpy, orjson, pydantic_core',
        'orjson.dumps(numpy.arange(3).tolist()) + pydantic_core.to_json(True)',
      ),
    },
    answer: '[0,1,2]true',
  },
  {
    ...UNLOCKED,
    name: 'uv-no-lockfile',
    install: [['sync', '--no-dev']],
    files: {
      'pyproject.toml': pyproject('uv-no-lockfile', ['attrs==25.3.0']),
      'main.py': serve('import attrs', 'attrs.__name__'),
    },
    answer: 'attrs',
  },
  {
    ...BY_UV,
    name: 'uv-not-a-package',
    command: 'uvicorn talk.api:app --app-dir src --host 0.0.0.0 --port $PORT',
    files: {
      'pyproject.toml': pyproject(
        'uv-not-a-package',
        ['fastapi', 'uvicorn'],
        `${BACKENDS.hatch}[tool.uv]\npackage = false\n`,
      ),
      'src/talk/__init__.py': '',
      'src/talk/api.py':
        'import fastapi\n\napp = fastapi.FastAPI()\n\n\n' +
        '@app.get("/")\ndef root():\n    return {"found": __file__}\n',
    },
    answer: '/app/src/talk/api.py',
  },
]
