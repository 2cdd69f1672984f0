const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

/** Whether a Kubernetes object can have this name. Other names are never sent to the API server. */
export function isObjectName(name: string): boolean {
  return name.length <= 253 && SUBDOMAIN.test(name)
}
