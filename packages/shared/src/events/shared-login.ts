import type { Logger } from '../logging/logger.ts'
import { reportUnsafeSetting } from '../process/unsafe-settings.ts'
import { serversOf } from './nats-servers.ts'

/**
 * Reports that servers of a NATS_URL get the user and the password of the first one, which were not
 * written for them. The client has one login for all servers.
 */
export function reportSharedLogin(url: string, logger: Logger): void {
  const [first, ...others] = serversOf(url)
  if (first === undefined) return
  const differing = others.filter(
    ({ username, password }) => username !== first.username || password !== first.password,
  )
  if (differing.length === 0) return
  const hosts = differing.map(({ host }) => host).join(', ')
  const isSent = first.username !== ''
  reportUnsafeSetting(logger, {
    setting: 'NATS_URL',
    problem: isSent
      ? `the user and password of ${first.host} also go to ${hosts}`
      : `${first.host} has no user, so the user of ${hosts} isn't used`,
    remedy:
      'write the same user:password@ before each server that may have it, and leave out the ' +
      'others; or use NATS_CREDENTIALS_FILE',
  })
}
