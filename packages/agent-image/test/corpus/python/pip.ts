import type { CorpusProject } from '../corpus-project.ts'
import { BACKENDS, pyproject, serve } from './serve.ts'

/** What pip is called with in these projects. */
export const BY_PIP = {
  run: 'full',
  language: 'python',
  manager: 'pip',
} as const

const VENV = ['venv', '--without-pip', '.venv']

/** Commands that install packages in a virtual environment. */
export function pipInstall(...what: readonly string[]): readonly (readonly string[])[] {
  return [VENV, ['pip', '--python', '.venv/bin/python', 'install', '--no-compile', ...what]]
}

/** Projects whose manager is pip. */
export const pipProjects: readonly CorpusProject[] = [
  {
    ...BY_PIP,
    name: 'pip-plain',
    install: pipInstall('-r', 'requirements.txt'),
    files: {
      'requirements.txt':
        '# comments, markers and extras\nattrs==25.3.0\nuvicorn[standard]==0.35.0\n',
      'main.py': serve('import httptools, uvicorn', 'uvicorn.__version__'),
    },
    answer: '0.35.0',
  },
  {
    ...BY_PIP,
    name: 'pip-hashes',
    run: 'gate',
    lockManager: 'pip-tools@7.6.2',
    lock: ['--quiet', '--generate-hashes', 'requirements.in'],
    install: pipInstall('--require-hashes', '-r', 'requirements.txt'),
    files: {
      'requirements.in': 'tabulate==0.9.0\nattrs\n',
      'main.py': serve('import attrs, tabulate', 'tabulate.__version__'),
    },
    answer: '0.9.0',
  },
  {
    ...BY_PIP,
    name: 'pip-constraints',
    install: pipInstall('-r', 'requirements.txt'),
    files: {
      'requirements.txt': '-c constraints.txt\n-r requirements/base.txt\ntabulate\n',
      'requirements/base.txt': '-r more.txt\n',
      'requirements/more.txt': 'attrs\n',
      'constraints.txt': 'attrs==25.1.0\ntabulate==0.9.0\niniconfig==2.0.0\n',
      'main.py': serve('import attrs, importlib.metadata', 'importlib.metadata.version("attrs")'),
    },
    answer: '25.1.0',
  },
  {
    ...BY_PIP,
    name: 'pip-editable',
    install: pipInstall('-r', 'requirements.txt'),
    files: {
      'requirements.txt': '-e ./lib\n-r base.txt\n',
      'base.txt': 'tabulate==0.9.0\n',
      'lib/pyproject.toml':
        pyproject('mylib', [], BACKENDS.setuptools) +
        '[tool.setuptools.packages.find]\nwhere = ["src"]\n',
      'lib/src/mylib/__init__.py': '',
      'main.py': serve('import mylib, tabulate', 'mylib.__file__'),
    },
    answer: '/app/lib/src/mylib/__init__.py',
  },
  {
    ...BY_PIP,
    name: 'pip-namespace',
    install: pipInstall('-r', 'requirements.txt'),
    files: {
      'requirements.txt': './first\n-e ./second\n',
      ...Object.fromEntries(
        ['first', 'second'].flatMap((name) => [
          [
            `${name}/pyproject.toml`,
            pyproject(`company-${name}`, [], BACKENDS.hatch) +
              '[tool.hatch.build.targets.wheel]\npackages = ["company"]\n',
          ],
          [`${name}/company/${name}/__init__.py`, `TEXT = "company.${name}"\n`],
        ]),
      ),
      'main.py': serve(
        'import company.first, company.second',
        'company.first.TEXT + company.second.TEXT',
      ),
    },
    answer: 'company.firstcompany.second',
  },
  {
    ...BY_PIP,
    name: 'pip-standard-library-first',
    install: pipInstall('-r', 'requirements.txt'),
    files: {
      'requirements.txt': 'asyncio==3.4.3\n',
      'main.py': serve('import asyncio', 'asyncio.run(asyncio.sleep(0, "as in a container"))'),
    },
    answer: 'as in a container',
  },
  {
    ...BY_PIP,
    name: 'pip-files',
    run: 'long',
    install: pipInstall('-r', 'requirements.txt'),
    files: {
      'requirements.txt': 'setuptools==80.9.0\ntabulate==0.9.0\n',
      '.dockerignore': 'service-account.json\n',
      'service-account.json': '{"private_key": "not a real key"}',
      '.well-known/agent-card.json': '{"name": "a2a"}',
      'env/__init__.py': 'VALUE = 1\n',
      'config/env': 'A=1\n',
      'main.py': serve(
        'import distutils.version, env, os, shutil, subprocess',
        '(distutils.version.__file__.startswith("/app/.venv/"), env.VALUE, ' +
          'open("config/env").read(), os.listdir(".well-known"), ' +
          'os.path.exists("service-account.json"), ' +
          'subprocess.run(["tabulate", "--help"], capture_output=True).returncode)',
      ),
    },
    answer: `(True, 1, 'A=1\\\\n', ['agent-card.json'], False, 0)`,
  },
  {
    ...BY_PIP,
    name: 'pip-procfile',
    install: pipInstall('-r', 'requirements.txt'),
    files: {
      'requirements.txt': 'fastapi==0.116.1\nuvicorn==0.35.0\n',
      Procfile: 'web: uvicorn server:api --host 0.0.0.0 --port 8080\n',
      'server.py':
        'import fastapi\n\napi = fastapi.FastAPI()\n\n\n@api.get("/")\ndef root():\n' +
        '    return {"from": "the Procfile"}\n',
    },
    answer: 'the Procfile',
  },
  {
    ...BY_PIP,
    name: 'pip-nothing',
    install: [],
    installsNothing: true,
    files: { 'main.py': serve('import sys', 'sys.version_info.major') },
    answer: '3',
  },
]
