import { isAlias, isMap, parseDocument, visit, type Document, type YAMLMap } from 'yaml'
import type { DockerfileBuild } from './dockerfile/build-dockerfile.ts'

/** A `build` of a spec. */
export interface SpecBuild {
  readonly target: string
  readonly build: DockerfileBuild
  /** Writes the name of an image to the spec, in place of the `build`. */
  readonly replaceBy: (reference: string) => void
}

/** The file of an agent spec, whose builds can be replaced. */
export interface SpecFile {
  readonly name: string
  readonly builds: readonly SpecBuild[]
  /** Returns the present text. */
  readonly text: () => string
}

/** Reads the builds of an agent spec, with their targets (default: `agent`). */
export function readSpecFile(source: string): SpecFile {
  const document = parseDocument(source)
  const [error] = document.errors
  if (error) throw new Error(`astroai.yml: ${error.message.split('\n')[0] ?? ''}`)
  return {
    name: String(document.get('name')),
    builds: findBuilds(document),
    text: () => document.toString({ lineWidth: 0, flowCollectionPadding: false }),
  }
}

function findBuilds(document: Document): SpecBuild[] {
  const builds: SpecBuild[] = []
  visit(document, {
    Map(_key, owner) {
      const value = owner.get('build', true)
      const found = isAlias(value) ? value.resolve(document) : value
      if (!isMap(found)) return
      const build = found.toJS(document) as DockerfileBuild
      const target: unknown = build.target ?? 'agent'
      if (typeof target !== 'string')
        throw new Error('astroai.yml: the target of a build must be a string')
      const replaceBy = (reference: string): void => replace(document, owner, reference)
      builds.push({ target, build, replaceBy })
    },
  })
  return builds
}

function replace(document: Document, owner: YAMLMap, reference: string): void {
  owner.delete('build')
  owner.items.unshift(document.createPair('image', reference))
}
