import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { corpusOf, type CorpusProject } from '@slipway/agent-image/corpus'

/** A project of the corpus, and how it changes. */
export interface BenchProject {
  readonly project: CorpusProject
  /** A usual Dockerfile: dependencies before sources, caches of the manager in mounts. */
  readonly dockerfile: string
  /** The source file that changes. */
  readonly source: string
  /** A line that changes what the program does. */
  readonly line: string
  /** The same project with one more dependency. */
  readonly extended: CorpusProject
}

/** About one project of each way to build an agent. */
export const benchProjects: readonly BenchProject[] = [
  ofNode('start-openai-agents', { source: 'index.ts' }),
  ofNode('start-langgraph-js', { source: 'agent.ts' }),
  ofNode('pnpm-workspace', { source: 'apps/agent/main.ts', manifest: 'apps/agent/package.json' }),
  ofPython('langgraph-quick-start', 'pyproject.toml', '"uvicorn"', '"uvicorn", "tabulate"'),
  ofPython('poetry-native', 'pyproject.toml', 'numpy =', 'tabulate = "*"\nnumpy ='),
  ofPython('pip-plain', 'requirements.txt', 'attrs==', 'tabulate==0.9.0\nattrs=='),
]

function ofNode(
  name: string,
  { source, manifest = 'package.json' }: { readonly source: string; readonly manifest?: string },
): BenchProject {
  const project = known(name)
  const { dependencies, ...others } = project.files[manifest] as { readonly dependencies: object }
  const more = { ...others, dependencies: { ...dependencies, pluralize: '^8.0.0' } }
  return {
    project,
    dockerfile: dockerfileOf(name),
    source,
    line: "console.log('changed')\n",
    extended: { ...project, files: { ...project.files, [manifest]: more } },
  }
}

function ofPython(name: string, file: string, before: string, after: string): BenchProject {
  const project = known(name)
  const text = String(project.files[file])
  if (!text.includes(before)) throw new Error(`${file} of ${name} has no ${before}`)
  return {
    project,
    dockerfile: dockerfileOf(name),
    source: 'main.py',
    line: 'print("changed")\n',
    extended: { ...project, files: { ...project.files, [file]: text.replace(before, after) } },
  }
}

function known(name: string): CorpusProject {
  const found = corpusOf('full').find((each) => each.name === name)
  if (found === undefined) throw new Error(`the corpus has no project ${name}`)
  return found
}

function dockerfileOf(name: string): string {
  return readFileSync(join(import.meta.dirname, 'dockerfiles', `${name}.Dockerfile`), 'utf8')
}
