import type { CorpusProject } from '../corpus-project.ts'
import { BY_PIP, pipInstall } from './pip.ts'
import { BACKENDS, pyproject, serve } from './serve.ts'

const EDITABLE = { ...BY_PIP, install: pipInstall('--editable', '.') } as const

/** Projects without a lockfile, which pip installs with their build backend. */
export const backendProjects: readonly CorpusProject[] = [
  {
    ...EDITABLE,
    name: 'hatch-dynamic',
    files: {
      'pyproject.toml': `[project]
name = "hatch-dynamic"
dynamic = ["version"]
requires-python = ">=3.11"
dependencies = ["attrs==25.3.0"]

[project.scripts]
hatch-dynamic = "hatch_dynamic.main:main"

[tool.hatch.version]
path = "hatch_dynamic/__init__.py"

${BACKENDS.hatch}`,
      'hatch_dynamic/__init__.py': '__version__ = "2.3.4"\n',
      'hatch_dynamic/main.py': serve(
        'import attrs, importlib.metadata',
        'importlib.metadata.version("hatch-dynamic")',
      ),
    },
    answer: '2.3.4',
  },
  {
    ...EDITABLE,
    name: 'setuptools-data',
    files: {
      'pyproject.toml':
        pyproject('setuptools-data', ['attrs==25.3.0'], BACKENDS.setuptools) +
        '[tool.setuptools.packages.find]\nwhere = ["src"]\n' +
        '[tool.setuptools.package-data]\ntold = ["*.txt"]\n',
      'src/told/__init__.py': '',
      'src/told/text.txt': 'data of a package',
      'main.py': serve(
        'import importlib.resources',
        'importlib.resources.files("told").joinpath("text.txt").read_text()',
      ),
    },
    answer: 'data of a package',
  },
  {
    ...EDITABLE,
    name: 'setup-py',
    run: 'gate',
    files: {
      'setup.py': `from setuptools import setup

setup(
    name="setup-py",
    version="1.0",
    py_modules=["old_style"],
    install_requires=["tabulate==0.9.0"],
    entry_points={"console_scripts": ["old-style=old_style:main"]},
)
`,
      'old_style.py': serve('import shutil, tabulate', 'shutil.which("old-style")'),
      'main.py': 'import old_style\n\nold_style.main()\n',
    },
    answer: '/app/.venv/bin/old-style',
  },
  {
    ...EDITABLE,
    name: 'setup-cfg',
    files: {
      'pyproject.toml': BACKENDS.setuptools,
      'setup.cfg': `[metadata]
name = setup-cfg
version = 1.0

[options]
packages = find:
install_requires =
    attrs==25.3.0
`,
      'configured/__init__.py': '',
      'main.py': serve('import attrs, configured', 'configured.__file__'),
    },
    answer: '/app/configured/__init__.py',
  },
  {
    ...EDITABLE,
    name: 'flit-module',
    files: {
      'pyproject.toml': pyproject('flit-module', ['attrs==25.3.0'], BACKENDS.flit).replace(
        'version = "1.0.0"',
        'dynamic = ["version", "description"]',
      ),
      'flit_module.py': '"""A module."""\n\n__version__ = "3.2.1"\n',
      'main.py': serve('import flit_module', 'flit_module.__version__'),
    },
    answer: '3.2.1',
  },
  {
    ...EDITABLE,
    name: 'setuptools-native',
    files: {
      'setup.py':
        'from setuptools import Extension, setup\n\n' +
        'setup(name="setuptools-native", version="1.0", packages=["counted"],\n' +
        '      ext_modules=[Extension("counted.native", ["counted/native.c"])])\n',
      'counted/__init__.py': '',
      'counted/native.c': `#include <Python.h>

static PyObject *count(PyObject *self, PyObject *none) { return PyLong_FromLong(42); }

static PyMethodDef methods[] = {{"count", count, METH_NOARGS, ""}, {0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "native", "", -1, methods};

PyMODINIT_FUNC PyInit_native(void) { return PyModule_Create(&module); }
`,
      'main.py': serve('import counted.native', 'counted.native.count()'),
    },
    made: /^counted\/native\.[^/]+\.so$/,
    answer: '42',
  },
  {
    ...EDITABLE,
    name: 'hatch-generated',
    files: {
      'pyproject.toml':
        pyproject('hatch-generated', ['attrs==25.3.0'], BACKENDS.hatch) +
        '[tool.hatch.build.hooks.custom]\n',
      'hatch_build.py': `from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        with open("hatch_generated/version.py", "w") as file:
            file.write(f'TEXT = "made for {self.metadata.version}"\\n')
`,
      'hatch_generated/__init__.py': 'from .version import TEXT\n',
      'main.py': serve('import hatch_generated', 'hatch_generated.TEXT'),
    },
    made: /^hatch_generated\/version\.py$/,
    answer: 'made for 1.0.0',
  },
]
