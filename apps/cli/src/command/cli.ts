import type { Client } from '@slipway/client'

import { Session } from '../auth/session.ts'
import { TokenStore } from '../auth/token-store.ts'
import { Contexts, type NamedContext } from '../config/contexts.ts'
import { configFolder } from '../config/paths.ts'
import { serverUrl } from '../config/server-url.ts'
import { SettingsFile } from '../config/settings-file.ts'
import { CliError } from '../errors/cli-error.ts'
import { Printer } from '../output/printer.ts'
import { formatOf, type CommonFlags } from './flag-values.ts'
import type { ProcessContext } from './process-context.ts'
import { Unanswered } from './unanswered.ts'

/** The server of a call, and the name of its context if it has one. */
export interface Server {
  readonly url: string
  readonly context: NamedContext | undefined
}

/** One call of the command line: what all commands share. Parts are made when they are needed. */
export class Cli {
  readonly contexts: Contexts
  readonly tokens: TokenStore
  readonly printer: Printer
  readonly env: NodeJS.ProcessEnv
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  readonly stdin: ProcessContext['process']['stdin']
  readonly stderr: ProcessContext['process']['stderr']
  readonly flags: CommonFlags
  readonly unanswered = new Unanswered()
  #server: Promise<Server> | undefined
  #client: Promise<Client> | undefined
  #account: Promise<string> | undefined

  constructor({ process, signal }: ProcessContext, flags: CommonFlags) {
    const { stdin, stdout, stderr, env } = process
    const folder = configFolder(env)
    this.contexts = new Contexts(new SettingsFile(folder, 'contexts.json'))
    this.tokens = new TokenStore(new SettingsFile(folder, 'tokens.json'), env)
    const { quiet } = flags
    this.printer = new Printer({ stdout, stderr, env, format: formatOf(flags), quiet })
    this.env = env
    this.signal = signal
    this.stdin = stdin
    this.stderr = stderr
    this.flags = flags
  }

  /** Whether a person can be asked. */
  get isInteractive(): boolean {
    return this.stdin.isTTY === true && this.printer.hasTerminalForQuestions
  }

  /** The server: `--context`, `SLIPWAY_URL`, `SLIPWAY_CONTEXT`, or the current context. */
  async server(): Promise<Server> {
    return await (this.#server ??= this.#findServer())
  }

  /** A client of the server. Its calls are signed in, or throw an error that says how to. */
  async client(): Promise<Client> {
    return await (this.#client ??= this.#openClient())
  }

  /** The account: `--account`, `SLIPWAY_ACCOUNT`, the context's, or else the caller's own. */
  async account(): Promise<string> {
    return await (this.#account ??= this.#findAccount())
  }

  async #findServer(): Promise<Server> {
    const { env } = this
    const address = env['SLIPWAY_URL']
    if (this.flags.context === undefined && address) {
      return { url: serverUrl(address), context: undefined }
    }
    const name = this.flags.context ?? (env['SLIPWAY_CONTEXT'] || undefined)
    const context = await this.contexts.find(name)
    if (context !== undefined) return { url: context.url, context }
    throw new CliError('no server is chosen', {
      code: 'no_server',
      next: 'slipway login https://slipway.example.com, or set SLIPWAY_URL and SLIPWAY_TOKEN',
      exitCode: 4,
    })
  }

  async #openClient(): Promise<Client> {
    const [{ url, context }, { openClient }] = await Promise.all([
      this.server(),
      import('./open-client.ts'),
    ])
    const fixed = this.env['SLIPWAY_TOKEN']
    const session = context && new Session(this.tokens, context)
    return openClient({
      url,
      token: fixed || session,
      signal: this.signal,
      unanswered: this.unanswered,
      log: this.flags.verbose ? (line) => this.printer.error(line, 'faint') : undefined,
    })
  }

  async #findAccount(): Promise<string> {
    const given = this.flags.account ?? this.env['SLIPWAY_ACCOUNT']
    if (given) return given
    const { context } = await this.server()
    // The account of a context is its user's choice, and not that of a machine's token.
    if (context?.account !== undefined && !this.env['SLIPWAY_TOKEN']) return context.account
    const { ownAccount } = await import('./own-account.ts')
    return await ownAccount(await this.client())
  }
}
