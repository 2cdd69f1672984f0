const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

/** Whether an object of the cluster can have this name; anything else is not even asked for. */
export function isObjectName(name: string): boolean {
  return name.length <= 253 && SUBDOMAIN.test(name)
}
