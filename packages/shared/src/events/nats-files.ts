import type { Logger } from '../logging/logger.ts'
import { NeededFile } from '../process/needed-file.ts'
import type { NatsServers } from './nats-servers.ts'

/** What is in effect while a setting isn't valid. */
export const WAITING = 'no connection to NATS, so events wait'

/** The files of a connection to NATS, which can change while a service runs. */
export class NatsFiles implements Disposable {
  readonly #open = new DisposableStack()
  readonly #trustedCa: NeededFile | undefined
  readonly #credentials: NeededFile | undefined

  constructor({ trustedCa, credentials }: NatsServers, logger: Logger) {
    const follow = (file: NatsServers['credentials']) =>
      file && this.#open.use(new NeededFile(file, logger, WAITING))
    this.#trustedCa = follow(trustedCa)
    this.#credentials = follow(credentials)
  }

  /** The certificate authorities to trust. Throws an Error while the file isn't valid. */
  get trustedCa(): string | undefined {
    return this.#trustedCa?.value()
  }

  /** A user's JWT and nkey seed. Throws an Error while the file isn't valid. */
  get credentials(): string | undefined {
    return this.#credentials?.value()
  }

  [Symbol.dispose](): void {
    this.#open.dispose()
  }
}
