import type { Logger } from '../logging/logger.ts'
import { followFile, type FileValue } from '../process/reloaded-file.ts'
import type { NatsFile, NatsServers } from './nats-servers.ts'

const IN_EFFECT = 'no connection to NATS, so events wait'

/** The files of a connection to NATS, which can change while a service runs. */
export class NatsFiles implements Disposable {
  readonly #open = new DisposableStack()
  readonly #trustedCa: (() => string) | undefined
  readonly #credentials: (() => string) | undefined

  constructor({ trustedCa, credentials }: NatsServers, logger: Logger) {
    this.#trustedCa = trustedCa && this.#follow(trustedCa, logger)
    this.#credentials = credentials && this.#follow(credentials, logger)
  }

  /** The certificate authorities to trust. Throws an Error while the file isn't valid. */
  get trustedCa(): string | undefined {
    return this.#trustedCa?.()
  }

  /** A user's JWT and nkey seed. Throws an Error while the file isn't valid. */
  get credentials(): string | undefined {
    return this.#credentials?.()
  }

  #follow(file: NatsFile, logger: Logger): () => string {
    const followed: FileValue<string | undefined> = this.#open.use(
      followFile({ ...file, logger, withoutValue: IN_EFFECT }),
    )
    return () => {
      if (followed.current === undefined) throw new Error(`${file.name} is not valid`)
      return followed.current
    }
  }

  [Symbol.dispose](): void {
    this.#open.dispose()
  }
}
