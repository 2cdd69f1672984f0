import type { PythonSources } from './python-start.ts'
import { ENVIRONMENT } from './python-install.ts'
import { readEntry, type PyProject } from './python-project.ts'
import type { PythonSourceFiles } from './python-sources.ts'

/** What the start of a Python program is looked for in. */
export async function startSources(
  sources: PythonSourceFiles,
  pyproject: PyProject,
): Promise<PythonSources> {
  const procfile = sources.find('Procfile')
  return {
    folder: sources.folder,
    has: sources.has,
    pyproject,
    procfile: procfile?.type === 'file' ? await readEntry(procfile) : undefined,
    bin: `/${sources.top}/${ENVIRONMENT}/bin`,
    apps: await sources.apps(),
  }
}
