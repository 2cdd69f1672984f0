/**
 * Bounds of a deploy request, together with the stored values that it keeps. They bound the time
 * that a request takes, and the size of a revision after any number of deploys.
 */
export const DEPLOY_LIMITS = {
  /** Overrides. */
  overrides: 1_000,
  /** Size of the overrides as JSON. */
  overrideBytes: 1024 * 1024,
  /** Values in the overrides of one request, counting mappings, lists and their members. */
  overrideValues: 5_000,
  /** Longest path of an override. */
  pathLength: 1_000,
  /** Longest value of a variable, in bytes. Linux starts no program with a longer one. */
  variableBytes: 128 * 1024,
  /** Credentials. */
  credentials: 1_000,
  interfaces: 100,
  schedules: 100,
  /**
   * Size of the variables of all components with their references resolved. The cluster stores them
   * for some revisions of each deployment, and all tenants share its few gigabytes.
   */
  resolvedBytes: 2 * 1024 * 1024,
  /** Problems that are reported. */
  problems: 100,
} as const
