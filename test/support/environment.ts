import { resolveLocalhostNames } from '@slipway/local/process/localhost-names'

export { fromStack } from '@slipway/testing/from-stack'

/** Whether the tests run against the URL of an installation, which a proxy may serve. */
export function isByUrl(): boolean {
  return process.env['SLIPWAY_TEST_BY_URL'] !== undefined
}

// The hosts of an installation in the local cluster are below `localhost`.
resolveLocalhostNames()
