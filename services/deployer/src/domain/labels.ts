/** Label that says which deployment an object belongs to. */
export const DEPLOYMENT_LABEL = 'slipway.dev/deployment-id'
/** Label that says what made an object. */
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by'
/** This system, as the value of that label. */
export const MANAGED_BY = 'slipway'
/**
 * Label of pods that changes with their template: tells pods of the present one from former ones.
 */
export const TEMPLATE_HASH_LABEL = 'slipway.dev/template-hash'
