import type { DescMethod } from '@bufbuild/protobuf'
import { ConnectError } from '@connectrpc/connect'

const CALLED_SERVICE = 'x-slipway-called-service'

/** Notes the called service on the error of a call, for `calledService`. */
export function withCalledService(error: unknown, { parent }: DescMethod): unknown {
  // E.g. `slipway.catalog.v1.AgentService`.
  const service = /^slipway\.(\w+)\./.exec(parent.typeName)?.[1]
  if (service !== undefined && error instanceof ConnectError)
    error.metadata.set(CALLED_SERVICE, service)
  return error
}

/** The service that a call with this error was made to; undefined if it isn't noted. */
export function calledService(error: ConnectError): string | undefined {
  return error.metadata.get(CALLED_SERVICE) ?? undefined
}

/** The message for users when a service doesn't respond. */
export function unavailableMessage(service: string | undefined): string {
  const part = service === undefined ? 'a backend service' : `the ${service} service`
  return `${part} is unreachable or too slow; retry later`
}
