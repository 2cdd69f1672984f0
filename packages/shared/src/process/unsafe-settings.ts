import type { Logger } from '../logging/logger.ts'
import { createCounter } from '../telemetry/measures.ts'

/** A setting that goes on working and isn't safe. */
export interface UnsafeSetting {
  /** Its name, as in the reference of settings. */
  readonly setting: string
  readonly problem: string
  /** What the operator can do. */
  readonly remedy: string
}

const count = createCounter('slipway.unsafe_settings', 'Unsafe settings that are in effect')

/** Reports an unsafe setting to the operator, once per process and setting. */
export function reportUnsafeSetting(logger: Logger, unsafe: UnsafeSetting): void {
  logger.warn(unsafe, 'unsafe_setting')
  count(1, { setting: unsafe.setting })
}
