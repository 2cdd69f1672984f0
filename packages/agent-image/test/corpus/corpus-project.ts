/** In which runs of the tests a project is. A run has the projects of those before it, too. */
export const CORPUS_RUNS = ['gate', 'long', 'full'] as const

export type CorpusRun = (typeof CORPUS_RUNS)[number]

/** A project whose image is compared with what its package manager installs, and then started. */
export interface CorpusProject {
  /** Unique. Also the name of the agent: lower case and hyphens. */
  readonly name: string
  /** The first run that has it. */
  readonly run: CorpusRun
  readonly language: 'node' | 'python'
  /** The manager with its version, as `pnpm@10.20.0`; `npm` and `uv` without one are those here. */
  readonly manager: string
  /** By path in the root: a text, or a value that is written as JSON. */
  readonly files: Readonly<Record<string, unknown>>
  /** Adds to the files what isn't a text. */
  readonly make?: (root: string) => Promise<void>
  /** The agent's folder, if it is below the root. */
  readonly folder?: string
  /** What the manager is called with to write the lockfile, which names this machine's registry. */
  readonly lock?: readonly string[]
  /** What writes the lockfile, if the manager doesn't. */
  readonly lockManager?: string
  /** What the manager is called with to install for production, one command after the other. */
  readonly install: readonly (readonly string[])[]
  /** Variables of these commands. */
  readonly environment?: Readonly<Record<string, string>>
  /** The root's place in the image. Default: `workspace` if there is a `folder`, else `app`. */
  readonly place?: string
  /** How the agent starts, if the project doesn't say it. */
  readonly command?: string
  /** Variables of the running agent. */
  readonly variables?: Readonly<Record<string, string>>
  /** The request to the running agent: POST if there is a body. Default: GET /. */
  readonly request?: { readonly path: string; readonly body?: unknown }
  /** What the answer contains. */
  readonly answer: string
  /** Starts the model server of the tests next to the agent. */
  readonly usesModel?: boolean
  /** Its packages are all its own. */
  readonly installsNothing?: boolean
  /** Paths in the root of what the builds of its own packages make among the sources. */
  readonly made?: RegExp
  /** Paths in the root that may differ from those of the manager, with the reason. */
  readonly mayDiffer?: readonly (readonly [path: RegExp, reason: string])[]
}

/** The port of all agents and of the model server. */
export const CORPUS_PORT = 8080

/** The reference of the model server's image in the registry of a test's stack. */
export const MODEL_IMAGE = '127.0.0.1:5000/corpus-model:1'

/** The place of a project's root in its image. */
export function placeOf({ place, folder }: CorpusProject): string {
  return place ?? (folder === undefined ? 'app' : 'workspace')
}

/** The astroai.yml of a project. */
export function specOf(project: CorpusProject): string {
  const { name, command, variables: environment, usesModel = false } = project
  const model = `http://${name}-tool-model:${CORPUS_PORT}`
  const inputs = {
    openai: { name: 'OPENAI_BASE_URL', datatype: 'string', default: `${model}/v1` },
    openai_key: { name: 'OPENAI_API_KEY', datatype: 'string', default: 'key' },
    anthropic: { name: 'ANTHROPIC_BASE_URL', datatype: 'string', default: model },
    anthropic_key: { name: 'ANTHROPIC_API_KEY', datatype: 'string', default: 'key' },
    gemini: { name: 'GOOGLE_GEMINI_BASE_URL', datatype: 'string', default: model },
    gemini_key: { name: 'GOOGLE_API_KEY', datatype: 'string', default: 'key' },
  }
  const tools = { model: { container: { image: MODEL_IMAGE, port: CORPUS_PORT } } }
  const agent = {
    build: { context: '.', dockerfile: 'Dockerfile' },
    port: CORPUS_PORT,
    command,
    environment,
    ...(usesModel && { inputs }),
  }
  // JSON is YAML.
  return JSON.stringify({ spec: 'astro/v1', name, agent, ...(usesModel && { tools }) })
}
