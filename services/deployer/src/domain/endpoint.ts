/** The kind of client that an endpoint serves. */
export type EndpointType = 'http' | 'web' | 'slack' | 'webhook'

/** An address of a deployment. */
export interface Endpoint {
  readonly name: string
  readonly url: string
  readonly type: EndpointType
}
