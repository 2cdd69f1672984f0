import type { DescService } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import type { GuardedService } from '@slipway/shared/rpc'

/** A service for a gRPC server that implements only the methods that a test calls. */
export function partialService<Service extends DescService>(
  service: Service,
  implementation: Partial<ServiceImpl<Service>>,
): GuardedService {
  return { service, implementation }
}
