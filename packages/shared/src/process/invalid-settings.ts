import type { Logger } from '../logging/logger.ts'
import { observe } from '../telemetry/measures.ts'

/** The metric of settings and files that aren't valid. */
export const invalidSettings = {
  name: 'slipway.invalid_settings',
  description: 'Parts of a file of the operator that are not valid now',
} as const

/** A setting that isn't valid, and without which the process runs until it is restarted. */
export interface InvalidSetting {
  readonly setting: string
  readonly problem: string
  readonly in_effect: string
  /** What the operator can do. */
  readonly remedy: string
}

/** Reports a setting to the operator; the metric counts it until the result is disposed of. */
export function reportInvalidSetting(logger: Logger, invalid: InvalidSetting): Disposable {
  logger.error(invalid, 'invalid_setting')
  return observe(invalidSettings, { setting: invalid.setting }, () => Promise.resolve(1))
}
