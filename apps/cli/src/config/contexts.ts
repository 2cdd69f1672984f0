import { CliError } from '../errors/cli-error.ts'
import type { KnownSignIn } from './known-sign-in.ts'
import { whileLocked } from './lock.ts'
import type { SettingsFile } from './settings-file.ts'

/** A server, and the account that commands use there. */
export interface Context {
  /** The server's address without `/api/v1`. */
  readonly url: string
  /** The account that is used if none is named; without it, the personal one. */
  readonly account?: string
  /** The account before, for `account switch -`. */
  readonly previous_account?: string
  /** Where the images of builds are pushed. */
  readonly registry?: string
  /** The base of images that are built: an image, or `packages`. */
  readonly base?: string
  /** Where those of other folders are pushed, by the paths of their agents. */
  readonly folders?: Readonly<Record<string, string>>
  /** The ids of the other accounts whose agents were deployed, by name. */
  readonly sources?: Readonly<Record<string, string>>
}

/** The file `contexts.json`. */
export interface ContextsFile {
  readonly current?: string
  readonly previous?: string
  readonly contexts: Readonly<Record<string, Context>>
  /** How servers sign people in, by their addresses; also of those without a context. */
  readonly sign_ins?: Readonly<Record<string, KnownSignIn>>
}

/** A context with its name. */
export interface NamedContext extends Context {
  readonly name: string
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

/** More folders than this are forgotten, the oldest first. */
const MOST_FOLDERS = 100

/** Where the images of a folder are pushed. */
export function registryOf({ registry, folders }: Context, folder: string): string | undefined {
  const ofFolder = Object.hasOwn(folders ?? {}, folder) ? folders?.[folder] : undefined
  return ofFolder ?? registry
}

/** The servers that the user has signed in to or added. */
export class Contexts {
  readonly #file: SettingsFile<ContextsFile>

  constructor(file: SettingsFile<ContextsFile>) {
    this.#file = file
  }

  /** The current context's name, all contexts, sorted by name, and the sign-ins of servers. */
  async list(): Promise<{
    current: string | undefined
    contexts: NamedContext[]
    signIns: Readonly<Record<string, KnownSignIn>>
  }> {
    const { current, contexts, sign_ins: signIns = {} } = await this.#read()
    const all = Object.entries(contexts).map(([name, context]) => ({ name, ...context }))
    all.sort((a, b) => (a.name < b.name ? -1 : 1))
    return { current, contexts: all, signIns }
  }

  /** Finds a context by name, or the current one. Undefined if no context is current. */
  async find(name: string | undefined): Promise<NamedContext | undefined> {
    const { current, contexts } = await this.#read()
    const wanted = name ?? current
    if (wanted === undefined) return undefined
    const context = Object.hasOwn(contexts, wanted) ? contexts[wanted] : undefined
    if (context === undefined) throw unknownContext(wanted, Object.keys(contexts))
    return { name: wanted, ...context }
  }

  /** Adds or replaces a context, and makes it the current one if asked, or if there is none. */
  async put({ name, ...context }: NamedContext, { use }: { readonly use: boolean }): Promise<void> {
    if (!NAME.test(name))
      throw new CliError(`"${name}" can't be the name of a context`, {
        code: 'invalid_context_name',
        why: 'a name has up to 63 letters, digits, dots, hyphens and underscores',
      })
    await this.#change((file) => ({
      ...(use || file.current === undefined ? switchTo(file, name) : file),
      contexts: { ...file.contexts, [name]: context },
    }))
  }

  /**
   * Remembers where the images of a folder were pushed: for all folders if the context has no
   * registry, or else for this one. Returns whether that is new.
   */
  async rememberRegistry(context: string, folder: string, registry: string): Promise<boolean> {
    const known = (await this.#read()).contexts[context]
    if (known === undefined || registryOf(known, folder) === registry) return false
    await this.#change((file) => {
      const latest = file.contexts[context]
      if (latest === undefined) return file
      const { [folder]: _, ...others } = latest.folders ?? {}
      const folders = Object.fromEntries(
        [...Object.entries(others), [folder, registry] as const].slice(-MOST_FOLDERS),
      )
      const changed =
        latest.registry === undefined ? { ...latest, registry } : { ...latest, folders }
      return { ...file, contexts: { ...file.contexts, [context]: changed } }
    })
    return true
  }

  /** Remembers the id of an account whose agent was deployed. */
  async rememberSource(context: string, account: string, id: string): Promise<void> {
    await this.#change((file) => {
      const known = file.contexts[context]
      if (known === undefined) return file
      const sources = { ...known.sources, [account]: id }
      return { ...file, contexts: { ...file.contexts, [context]: { ...known, sources } } }
    })
  }

  /** The path of the file, for messages. */
  get path(): string {
    return this.#file.path
  }

  /** Remembers how a server signs people in. */
  async rememberSignIn(url: string, signIn: KnownSignIn): Promise<void> {
    await this.#change((file) => ({ ...file, sign_ins: { ...file.sign_ins, [url]: signIn } }))
  }

  /** Makes a context the current one; `-` is the one before. Returns its name. */
  async use(name: string): Promise<string> {
    const file = await this.#read()
    const wanted = name === '-' ? file.previous : name
    if (wanted === undefined)
      throw new CliError('there is no previous context', { code: 'no_previous_context' })
    if (!Object.hasOwn(file.contexts, wanted))
      throw unknownContext(wanted, Object.keys(file.contexts))
    await this.#change((latest) => switchTo(latest, wanted))
    return wanted
  }

  /** Removes a context. */
  async remove(name: string): Promise<void> {
    await this.#change((file) => {
      const { [name]: removed, ...contexts } = file.contexts
      if (removed === undefined) throw unknownContext(name, Object.keys(file.contexts))
      const { current, previous, sign_ins: signIns } = file
      return {
        ...(signIns && { sign_ins: signIns }),
        ...(current !== undefined && current !== name && { current }),
        ...(previous !== undefined && previous !== name && { previous }),
        contexts,
      }
    })
  }

  async #read(): Promise<ContextsFile> {
    return (await this.#file.read()) ?? { contexts: {} }
  }

  /** Throws if the contexts can't be stored. */
  async requireWritable(): Promise<void> {
    await whileLocked(this.#file.path, () => Promise.resolve())
  }

  async #change(change: (file: ContextsFile) => ContextsFile): Promise<void> {
    await whileLocked(this.#file.path, async () => {
      await this.#file.write(change(await this.#read()))
    })
  }
}

function switchTo(file: ContextsFile, name: string): ContextsFile {
  const { current } = file
  if (current === name) return file
  return { ...file, current: name, ...(current !== undefined && { previous: current }) }
}

function unknownContext(name: string, known: readonly string[]): CliError {
  return new CliError(`there is no context "${name}"`, {
    code: 'unknown_context',
    why: known.length === 0 ? 'no context exists yet' : `the contexts are ${known.join(', ')}`,
    next: 'slipway login URL, or slipway context add NAME URL',
  })
}
