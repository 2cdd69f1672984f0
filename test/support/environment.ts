import { resolveLocalhostNames } from '@slipway/local/localhost-names'

export { fromStack } from '@slipway/testing/from-stack'

// The hosts of an installation in the local cluster are below `localhost`.
resolveLocalhostNames()
