import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBase } from '../base/base.ts'
import type { Base } from '../base/base-options.ts'
import { fitsNode, publicImage, type WantedVersion } from '../base/public-image.ts'
import { ANY_PORT, APPLICATION_PATH, readApplication, type Application } from './application.ts'
import { DEFAULT_PATH } from '../image/oci.ts'
import { foreignManagers } from './foreign-managers.ts'
import { plainPath } from './node-files.ts'
import { nodeLayers } from './node-layers.ts'
import type { ScriptStart } from './node-start.ts'
import { readNodeProject, type NodeProject } from './node-project.ts'
import type { OwnLayer, Program, ProgramOptions } from './program.ts'
import { requireStartFile } from './start-file.ts'

/**
 * Builds the layers of the Node.js package in a folder: a base with Node.js, what its package
 * manager installs, and the package itself.
 */
export async function nodeProgram(folder: string, options: ProgramOptions): Promise<Program> {
  // Before the base, so that a mistake is reported without a download.
  const application = await readApplication(folder, {
    hasCommand: options.first?.start.command !== undefined,
  })
  const project = await readNodeProject(folder)
  const wanted = await wantedNode(project)
  const base = await openBase('node', wanted, options.cache, options)
  options.signal?.throwIfAborted()
  options.progress(detected(project, application, base, wanted))
  const unfit = await versionProblem(base, wanted)
  if (unfit !== undefined) options.progress(`warning: ${unfit}`)
  const foreign = foreignManagers((name) => existsSync(join(folder, name)))
  if (foreign !== undefined && project.lockfile === undefined)
    options.progress(`warning: ${foreign}`)
  const { layers, path, files, environment } = await nodeLayers(
    project,
    application,
    base.version,
    options,
  )
  const { programs } = application
  const roots = new Set([APPLICATION_PATH, path.split('/', 1)[0] ?? ''])
  const bins = [...roots].map((root) => `/${root}/node_modules/.bin`)
  const said = new Set<string>()
  return {
    base,
    own: layers.map((layer, index) => ({ ...originOf(index, project, application), layer })),
    leftOut: files.leftOut,
    startOf(target, { command, port } = {}) {
      const script = command === undefined && target === 'agent' ? scriptOf(port) : undefined
      const entrypoint = [...(command ?? script?.words ?? commandOf(target))]
      return {
        entrypoint,
        environment: {
          ...base.environment,
          ...environment,
          // Programs of packages.
          ...(entrypoint[0] !== 'node' && {
            PATH: [...bins, base.environment['PATH'] ?? DEFAULT_PATH].join(':'),
          }),
          NODE_ENV: 'production',
          ...script?.environment,
        },
        workingDirectory: `/${APPLICATION_PATH}`,
      }
    },
  }

  function scriptOf(port: number | undefined): ScriptStart | undefined {
    const script = application.script?.(port)
    for (const line of script?.notes ?? []) {
      if (!said.has(line)) options.progress(line)
      said.add(line)
    }
    const [file] = Object.values(programs)
    if (script?.file !== undefined && file !== undefined)
      requireStartFile(files, path, plainPath(file), 'the script start of package.json')
    return script
  }

  function commandOf(target: string): string[] {
    const program = programs[target]
    if (program === undefined) {
      const known = Object.keys(programs).join(', ') || 'none'
      throw new Error(
        `${folder} has no program ${target}; its package.json has: ${known}; ` +
          `write "bin": {"${target}": "FILE"} there, or its command to astroai.yml`,
      )
    }
    requireStartFile(files, path, plainPath(program), 'package.json')
    return ['node', program.replace(/^\.\//, '')]
  }
}

function originOf(
  index: number,
  { manager, lockfile }: NodeProject,
  { hasFiles }: Application,
): Pick<OwnLayer, 'name' | 'reason'> {
  if (index === 0)
    return {
      name: 'dependencies',
      reason: `${manager} installs what ${lockfile ?? 'package.json'} names`,
    }
  const reason = hasFiles ? 'npm pack takes it' : 'no rule leaves it out'
  return { name: 'application', reason }
}

/** The line that says what a build has found in a project. */
function detected(
  project: NodeProject,
  { programs, namedBy, script }: Application,
  { version, name }: Base,
  wanted: WantedVersion | undefined,
): string {
  const { manager, managerVersion, lockfile, root, agent } = project
  const place = agent.place === '' ? '' : `, ${agent.place} of the workspace ${root}`
  const words = script?.(ANY_PORT)?.words
  const started =
    words !== undefined
      ? [`agent: ${words.join(' ')}`]
      : Object.entries(programs).map(([each, file]) => `${each}: ${file}`)
  return (
    `found a Node.js project${place}: ${[manager, managerVersion].join(' ').trim()} with ` +
    `${lockfile ?? 'no lockfile'}; Node.js ${version ?? 'of the base'}` +
    `${wanted === undefined ? '' : ` (${wanted.from} has ${wanted.text})`} of ${name}; ` +
    `starts ${started.join(', ') || 'what astroai.yml has as command'} (${namedBy})`
  )
}

/** Why the Node.js of a base is not the one that a project wants. npm only warns, too. */
async function versionProblem(
  { version, name }: Base,
  wanted: WantedVersion | undefined,
): Promise<string | undefined> {
  if (wanted === undefined || version === undefined) return undefined
  if (await fitsNode(version, wanted.text)) return undefined
  const { name: image, problem } = await publicImage('node', wanted)
  // There is no public image of that version, and the choice of another one is said already.
  if (problem !== undefined && name.startsWith(image)) return undefined
  const example = problem === undefined ? `, for example ${image}` : ''
  return (
    `${wanted.from} has ${JSON.stringify(wanted.text)}, but the base ${name} has Node.js ` +
    `${version}; build with --base of an image with such a Node.js${example}, or change ` +
    wanted.from
  )
}

/** The version of Node.js that a project wants: that of a version file, or else of `engines`. */
async function wantedNode({
  root,
  agent,
  packages,
}: NodeProject): Promise<WantedVersion | undefined> {
  for (const folder of new Set([agent.folder, root]))
    for (const from of ['.nvmrc', '.node-version']) {
      const text = await readFile(join(folder, from), 'utf8').catch(() => undefined)
      const line = text?.trim().slice(0, 40)
      if (line !== undefined && line !== '') return { text: line, from }
    }
  const text = agent.manifest.engines?.node ?? packages.get('')?.manifest.engines?.node
  return text === undefined ? undefined : { text, from: 'engines' }
}
