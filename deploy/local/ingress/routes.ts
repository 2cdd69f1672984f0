import { isIP } from 'node:net'
import type { ApiObject } from '../kubernetes/client.ts'

/** The class of the Ingresses that the local stack serves. */
export const INGRESS_CLASS = 'slipway-local'

/** The domain of deployments' hosts. By RFC 6761, all names in `localhost` are this machine. */
export const INGRESS_DOMAIN = 'slipway.localhost'

/** The fields of an Ingress that are read here. */
export interface Ingress extends ApiObject {
  readonly spec?: {
    readonly ingressClassName?: string
    readonly rules?: readonly {
      readonly host?: string
      readonly http?: { readonly paths: readonly IngressPath[] }
    }[]
  }
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly object[] } }
}

interface IngressPath {
  readonly path?: string
  readonly pathType: string
  readonly backend: {
    readonly service?: { readonly name: string; readonly port?: ServicePortReference }
  }
}

interface ServicePortReference {
  readonly name?: string
  readonly number?: number
}

/** The fields of a Service that are read here. */
export interface Service extends ApiObject {
  readonly spec: {
    readonly clusterIP?: string
    readonly ports?: readonly {
      readonly name?: string
      readonly port: number
      readonly protocol?: string
    }[]
  }
}

/** The target of requests for a host and path. */
export interface Route {
  /** A host name, or `*.` followed by a host name. */
  readonly host: string
  readonly path: string
  /** A prefix matches whole path elements: /a matches /a and /a/b, but not /ab. */
  readonly match: 'exact' | 'prefix'
  /** Address and port; undefined if the Service or its port doesn't exist. */
  readonly target: { readonly address: string; readonly port: number } | undefined
}

/** The routes to serve, and a message for each path that is not served. */
export interface RoutePlan {
  readonly routes: readonly Route[]
  readonly problems: readonly string[]
}

// Characters with a special meaning in nginx's configuration, or with several spellings in a URL,
// are not allowed.
const SERVED_HOST = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/
const SERVED_PATH = /^\/[A-Za-z0-9._~!@:+,=/-]*$/

/** Whether a host may be served. */
export function isServedHost(host: string): boolean {
  return host.length <= 253 && SERVED_HOST.test(host)
}

/** Whether a path may be served. */
export function isServedPath(path: string): boolean {
  return path.length <= 1024 && SERVED_PATH.test(path)
}

/** Whether an Ingress has this controller's class and is not being deleted. */
export function isServed({ spec, metadata }: Ingress): boolean {
  return spec?.ingressClassName === INGRESS_CLASS && metadata.deletionTimestamp === undefined
}

/** Returns the routes of the Ingresses. If two have the same path, the older one is served. */
export function planRoutes(ingresses: readonly Ingress[], services: readonly Service[]): RoutePlan {
  const byName = new Map(services.map((service) => [nameOf(service), service]))
  const routes = new Map<string, Route>()
  const problems: string[] = []
  for (const ingress of ingresses.filter(isServed).toSorted(byAge)) {
    for (const { host = '', http } of ingress.spec?.rules ?? []) {
      for (const asked of http?.paths ?? []) {
        const { route, problem } = routeOf(ingress, host, asked, byName)
        const key = route && JSON.stringify([route.host, route.match, route.path])
        const isTaken = key !== undefined && routes.has(key)
        if (problem !== undefined || isTaken) {
          const url = JSON.stringify(`${host}${asked.path ?? ''}`).slice(0, 300)
          problems.push(`${nameOf(ingress)}: ${url} ${problem ?? 'belongs to an older Ingress'}`)
        }
        if (route && key !== undefined && !isTaken) routes.set(key, route)
      }
    }
  }
  return { routes: [...routes.values()], problems }
}

function routeOf(
  { metadata }: Ingress,
  host: string,
  asked: IngressPath,
  services: ReadonlyMap<string, Service>,
): { route?: Route; problem?: string } {
  const path = asked.path ?? '/'
  const match = asked.pathType === 'Exact' ? 'exact' : 'prefix'
  // An Ingress without a host would match every unknown host name.
  if (!isServedHost(host)) return { problem: 'has no host, or one that is not allowed' }
  if (!isServedPath(path)) return { problem: 'has a path that is not allowed' }
  const { service } = asked.backend
  if (service === undefined) return { problem: 'has no Service as its backend' }
  // A prefix means the same with and without a trailing slash.
  const route = {
    host,
    match,
    path: match === 'prefix' ? path.replace(/(?<=.)\/+$/, '') : path,
  } as const
  const found = targetOf(services.get(`${metadata.namespace}/${service.name}`), service.port)
  return typeof found === 'string'
    ? { route: { ...route, target: undefined }, problem: found }
    : { route: { ...route, target: found } }
}

function targetOf(
  service: Service | undefined,
  wanted: ServicePortReference = {},
): Route['target'] | string {
  if (service === undefined) return 'has a Service that does not exist'
  const { clusterIP = '', ports = [] } = service.spec
  if (isIP(clusterIP) === 0) return 'has a Service without an address in the cluster'
  const port = ports.find(({ name, port: number }) =>
    wanted.name === undefined ? number === wanted.number : name === wanted.name,
  )
  if (port === undefined) return 'refers to a port that its Service does not have'
  if ((port.protocol ?? 'TCP') !== 'TCP') return `refers to a ${port.protocol} port`
  return { address: clusterIP, port: port.port }
}

function nameOf({ metadata }: ApiObject): string {
  return `${metadata.namespace}/${metadata.name}`
}

function byAge(a: Ingress, b: Ingress): number {
  const key = (each: Ingress) => `${each.metadata.creationTimestamp ?? ''} ${nameOf(each)}`
  return key(a) < key(b) ? -1 : 1
}
