import type { AsyncEntry } from '@napi-rs/keyring'

import { keyringProblemText, NO_KEYRING } from './keyring-problem.ts'
import type { SettingsFile } from '../config/settings-file.ts'

/** The tokens of a context. */
export interface StoredTokens {
  /** The server that the tokens are for. They are never sent to another one. */
  readonly url: string
  readonly issuer: string
  readonly client_id: string
  /** Whether the token for the server is the provider's ID token. */
  readonly uses_id_tokens?: boolean
  /** The parameter `resource` with which the tokens were requested. */
  readonly resource?: string
  /** Whose tokens they are: those that replace them must be of the same person. */
  readonly subject?: string
  readonly access_token: string
  /** When the access token expires, in milliseconds since 1970. */
  readonly expires_at?: number
  readonly refresh_token?: string
}

/** The file for systems without a keyring: tokens by context. */
export type TokensFile = Readonly<Record<string, StoredTokens>>

const SERVICE = 'slipway'
const KEYRING_TIMEOUT_MS = 2_000

/** Where tokens are stored: the keyring of the operating system, or else a file. */
export class TokenStore {
  readonly #file: SettingsFile<TokensFile>
  readonly #env: NodeJS.ProcessEnv
  /** Set when the keyring can't be used. */
  #keyringProblem: Error | undefined

  constructor(file: SettingsFile<TokensFile>, env: NodeJS.ProcessEnv) {
    this.#file = file
    this.#env = env
  }

  /** Why tokens are in a file and not in the keyring; undefined before the keyring was tried. */
  get keyringProblem(): string | undefined {
    return this.#keyringProblem && keyringProblemText(this.#keyringProblem)
  }

  /** What the keyring's library said, if {@link keyringProblem} says it in other words. */
  get keyringDetail(): string | undefined {
    const { keyringProblem: text } = this
    const raw = this.#keyringProblem?.message
    return raw === text ? undefined : raw
  }

  /** Whether there is no keyring, as on most servers. */
  get isKeyringMissing(): boolean {
    return this.keyringProblem === NO_KEYRING
  }

  /** Whether there is a keyring that doesn't respond, for example because it is locked. */
  get isKeyringSilent(): boolean {
    return this.#keyringProblem?.name === 'TimeoutError'
  }

  /** The path of the file. */
  get filePath(): string {
    return this.#file.path
  }

  /** Reads the tokens of a context. */
  async get(context: string): Promise<StoredTokens | undefined> {
    const stored = await this.#inKeyring(context, (entry, signal) => entry.getPassword(signal))
    if (stored) return JSON.parse(stored) as StoredTokens
    return (await this.#file.read())?.[context]
  }

  /** Stores the tokens of a context. Returns where. */
  async set(context: string, tokens: StoredTokens): Promise<'keyring' | 'file'> {
    const stored = await this.#inKeyring(context, async (entry, signal) => {
      await entry.setPassword(JSON.stringify(tokens), signal)
      return true
    })
    if (stored === true) {
      await this.#changeFile(({ [context]: _removed, ...others }) => others)
      return 'keyring'
    }
    await this.#changeFile((all) => ({ ...all, [context]: tokens }))
    return 'file'
  }

  /** Removes the tokens of a context. */
  async delete(context: string): Promise<void> {
    await this.#inKeyring(context, (entry, signal) => entry.deletePassword(signal))
    await this.#changeFile(({ [context]: _removed, ...others }) => others)
  }

  /** The path whose lock a process holds while it refreshes a token. */
  get lockPath(): string {
    return this.#file.path
  }

  async #changeFile(change: (all: TokensFile) => TokensFile): Promise<void> {
    const before = (await this.#file.read()) ?? {}
    const after = change(before)
    if (JSON.stringify(before) !== JSON.stringify(after)) await this.#file.write(after)
  }

  /** Undefined if there is no keyring. A locked keyring that doesn't respond counts as none. */
  async #inKeyring<Result>(
    context: string,
    work: (entry: AsyncEntry, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | undefined> {
    if (this.#keyringProblem !== undefined) return undefined
    try {
      if (this.#env['SLIPWAY_KEYRING'] === 'off') throw new Error('SLIPWAY_KEYRING is off')
      const keyring = await import('@napi-rs/keyring')
      // On Linux, the kernel's keyring would be next, which forgets everything at a restart.
      const entry = new keyring.AsyncEntry(SERVICE, context, { linux: { store: 'secret-service' } })
      const timeout = AbortSignal.timeout(KEYRING_TIMEOUT_MS)
      return await Promise.race([work(entry, timeout), rejection(timeout)])
    } catch (error) {
      this.#keyringProblem = error instanceof Error ? error : new Error(String(error))
      return undefined
    }
  }
}

/** Rejects when the signal is aborted, also if the keyring ignores it. */
async function rejection(signal: AbortSignal): Promise<never> {
  return await new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
