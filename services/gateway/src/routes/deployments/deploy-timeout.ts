/**
 * Deadline of a deploy, and of other operations that change the cluster, excluding the time that
 * the caller waits for the rollout. Such an operation may wait for another one on the same agent
 * and for a namespace that is terminating.
 */
export const DEPLOY_TIMEOUT_MS = 75_000
