import {
  isObject,
  own,
  parsedTree,
  parseTree,
  type JsonObject,
  type JsonValue,
} from '@slipway/agent-spec'
import { isPair, isScalar, visit, type Document, type Node, type Pair } from 'yaml'
import { commandWords } from './program/command-words.ts'
import type { AskedStart } from './program/program.ts'
import type { DockerfileBuild } from './dockerfile/build-dockerfile.ts'
import { endOf, inFlow, replaceParts, type Edit } from './spec-edits.ts'

/** A `build` of a spec. */
export interface SpecBuild {
  /** Whose image it is, as `agent` or `tools.search.container`. */
  readonly owner: string
  readonly target: string
  readonly build: DockerfileBuild
  readonly start: AskedStart
  /** Writes the name of an image to the spec, in place of the `build`. */
  readonly replaceBy: (reference: string) => void
}

/** The file of an agent spec, whose builds can be replaced. */
export interface SpecFile {
  readonly name: string
  readonly builds: readonly SpecBuild[]
  /** What the file says that no one uses. */
  readonly warnings: readonly string[]
  /** Returns the present text: that of the file, but for what was replaced. */
  readonly text: () => string
}

/** Reads the builds of an agent spec, with their targets (default: `agent`). */
export function readSpecFile(source: string): SpecFile {
  const parsed = parseTree(source)
  const { document, spec } = parsedTree(parsed)
  const tree = parsed.document
  const edits: Edit[] = []
  const builds: SpecBuild[] = []
  const warnings: string[] = []
  visit(tree, {
    Map(_key, owner, path) {
      const pair = (owner.items as Pair<Node, Node | null>[]).find(
        (each) => nameOf(each) === 'build',
      )
      const place = path.filter(isPair).map(nameOf)
      if (isContainer(place) && owner.has('image') && owner.has('command'))
        warnings.push(
          `warning: astroai.yml: ${place.join('.')}.command is not used: it is for a \`build\` ` +
            'of a project, and here the image says what starts; remove it',
        )
      const found = valueAt(document, [...place, 'build'])
      if (!pair || !isObject(found)) return
      if (owner.has('image'))
        throw new Error(`astroai.yml: ${place.join('.')} has image and build; keep one of them`)
      const build: DockerfileBuild = found
      const target: unknown = build.target ?? 'agent'
      if (typeof target !== 'string')
        throw new Error('astroai.yml: the target of a build must be a string')
      const [from = 0] = pair.key.range ?? []
      const replaceBy = (reference: string): void => {
        edits.push({ from, to: endOf(pair.value ?? pair.key, source), text: imageField(reference) })
      }
      const start = startOf(document, place)
      builds.push({ owner: place.join('.'), target, build, start, replaceBy })
    },
  })
  return {
    name: spec.name ?? '',
    builds,
    warnings,
    text: () => replaceParts(source, [...edits, ...movedAnchors(tree, source, edits)]),
  }
}

/** Whether a place of a spec has a container of the file. */
function isContainer(place: readonly string[]): boolean {
  return place.join('.') === 'agent' || place.at(-1) === 'container'
}

/** Where an anchor is inside of a replaced build, the first alias elsewhere gets its value. */
function movedAnchors(tree: Document, source: string, edits: readonly Edit[]): Edit[] {
  const isReplaced = (node: Node): boolean =>
    edits.some(({ from, to }) => (node.range?.[0] ?? -1) >= from && (node.range?.[0] ?? -1) < to)
  const moved = new Map<Node, Edit>()
  visit(tree, {
    Alias(_key, alias) {
      const node = alias.resolve(tree)
      if (!node || moved.has(node) || !isReplaced(node) || isReplaced(alias)) return
      const [from = 0, to = 0] = alias.range ?? []
      moved.set(node, { from, to, text: inFlow(node, source) })
    },
  })
  return [...moved.values()]
}

/** What the owner of a build says about its start. */
function startOf(document: JsonObject, place: readonly string[]): AskedStart {
  const command = valueAt(document, [...place, 'command'])
  const value = valueAt(document, [...place, 'port'])
  const port = typeof value === 'number' ? value : undefined
  if (command === undefined || command === null || command === '') return { port }
  const source = `astroai.yml: ${[...place, 'command'].join('.')}`
  if (typeof command !== 'string') throw new Error(`${source} must be a text, as on a command line`)
  return { port, command: commandWords(command, source, port) }
}

function nameOf({ key }: Pair<unknown, unknown>): string {
  return isScalar(key) ? String(key.value) : ''
}

function valueAt(document: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document
  for (const key of path) value = isObject(value) ? own(value, key) : undefined
  return value
}

function imageField(reference: string): string {
  return `image: ${/^[A-Za-z0-9]/.test(reference) ? reference : JSON.stringify(reference)}`
}
