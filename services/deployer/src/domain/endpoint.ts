/** What an endpoint is for. */
export type EndpointType = 'http' | 'web' | 'slack' | 'webhook'

/** An address under which a part of a deployment answers. */
export interface Endpoint {
  readonly name: string
  readonly url: string
  readonly type: EndpointType
}
