import { ConnectError } from '@connectrpc/connect'
import { setTrailerStatus } from '@connectrpc/connect/protocol-grpc'
import type { ServiceError } from '@grpc/grpc-js'

import { metadataFromHeaders } from '../grpc-metadata.ts'

/**
 * The status that grpc-js sends, with google.rpc.Status in the trailer, as gRPC's richer error
 * model requires.
 */
export function statusOf(error: unknown): Pick<ServiceError, 'code' | 'details' | 'metadata'> {
  const connectError = ConnectError.from(error)
  return {
    code: connectError.code as number,
    details: connectError.rawMessage,
    metadata: metadataFromHeaders(
      setTrailerStatus(new Headers(connectError.metadata), connectError),
    ),
  }
}
