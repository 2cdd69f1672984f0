/** Label with the id of the deployment that an object belongs to. */
export const DEPLOYMENT_LABEL = 'slipway.dev/deployment-id'
/** Label of a namespace with the name of the Slipway release that it belongs to. */
export const RELEASE_LABEL = 'slipway.dev/release'
/** Label with the name of the agent that an object belongs to. */
export const AGENT_LABEL = 'slipway.dev/agent'
/** Label with the name of the component that an object belongs to. */
export const COMPONENT_LABEL = 'app.kubernetes.io/component'
/** Label with the name of the system that manages an object. */
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by'
/** This system, as the value of MANAGED_BY_LABEL. */
export const MANAGED_BY = 'slipway'
/** Label with the id of the account that an object belongs to. */
export const ACCOUNT_LABEL = 'slipway.dev/account-id'
/** Label on Jobs with what has started them. */
export const TRIGGER_LABEL = 'slipway.dev/trigger'
/** A request to run an ingestion, as the value of TRIGGER_LABEL. */
export const MANUAL_TRIGGER = 'manual'
/** Label on pods with a hash of their template, which identifies pods of an older template. */
export const TEMPLATE_HASH_LABEL = 'slipway.dev/template-hash'
