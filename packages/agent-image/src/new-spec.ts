import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Document, isMap, isSeq, type YAMLMap } from 'yaml'
import { readAgentFile } from './agent-file.ts'
import { languageOf } from './program/agent-image.ts'
import { foundInputs } from './program/found-inputs.ts'
import {
  suggestNodeStart,
  suggestPythonStart,
  type SuggestedStart,
} from './program/suggested-start.ts'

/** A spec for a project that has none. */
export interface NewSpec {
  readonly text: string
  /** What was found, and what the author must still write, one line each. */
  readonly notes: readonly string[]
}

const DEFAULT_PORT = 8080

/** Whether a folder has what an image can be built from. */
export function hasProject(folder: string): boolean {
  return existsSync(join(folder, 'Dockerfile')) || languageOf(folder) !== undefined
}

/** Writes the spec of the agent in a folder, which has a Dockerfile or a project. */
export async function newSpec(folder: string, name: string): Promise<NewSpec> {
  const dockerfile = await readAgentFile(folder, 'Dockerfile')
  const suggest = languageOf(folder) === 'node' ? suggestNodeStart : suggestPythonStart
  const start = dockerfile === undefined ? await suggest(folder) : startOfDockerfile(dockerfile)
  const { file: inputsFile, inputs } = await foundInputs(folder)
  const { command, found, problem, port } = start
  const document = new Document({
    spec: 'astro/v1',
    name,
    agent: {
      build: { context: '.', ...(dockerfile !== undefined && { dockerfile: 'Dockerfile' }) },
      ...(command !== undefined && { command }),
      port: port ?? DEFAULT_PORT,
      ...(inputs.length > 0 && { inputs }),
    },
  })
  inFlowStyle(document.get('agent') as YAMLMap)
  const portNote =
    port === undefined && command === undefined
      ? [`port ${DEFAULT_PORT} is a guess: write the one that the program listens on`]
      : []
  return {
    text: document.toString({ lineWidth: 0 }),
    notes: [
      ...(found === undefined ? [] : [found]),
      ...(problem === undefined ? [] : [`nothing says what starts: ${problem}`]),
      ...portNote,
      ...(inputs.length > 0 ? [`inputs are the variables in ${inputsFile}`] : []),
    ],
  }
}

function startOfDockerfile(text: string): SuggestedStart {
  const port = /^\s*EXPOSE\s+(\d{2,5})\b/im.exec(text)?.[1]
  return { found: 'the folder has a Dockerfile', ...(port !== undefined && { port: Number(port) }) }
}

/** Writes the build and each input on one line. */
function inFlowStyle(agent: YAMLMap): void {
  const build = agent.get('build')
  if (isMap(build)) build.flow = true
  const inputs = agent.get('inputs')
  if (isSeq(inputs)) for (const input of inputs.items) if (isMap(input)) input.flow = true
}
