import { parseConfig, type Environment } from '../config/config.ts'
import { readTrustedCa } from '../config/tls.ts'
import type { Logger } from '../logging/logger.ts'
import { reportInvalidSetting } from './invalid-settings.ts'

/** Reports what Node ignores in the file of NODE_EXTRA_CA_CERTS. */
export function reportExtraAuthorities(env: Environment, logger: Logger): Disposable {
  const setting = 'NODE_EXTRA_CA_CERTS'
  const { file } = parseConfig(env, (reader) => ({ file: readTrustedCa(reader, setting) }))
  const stack = new DisposableStack()
  if (file !== undefined && file.problems.length > 0)
    stack.use(
      reportInvalidSetting(logger, {
        setting,
        problem: file.problems.join('; '),
        in_effect: 'the authorities of Node, so that connections to others with TLS may fail',
        remedy: `correct the file ${file.path}, and restart the service`,
      }),
    )
  return stack
}
