import { Code, ConnectError } from '@connectrpc/connect'

import type { TrustedCaFile } from '../../config/tls.ts'
import type { Logger } from '../../logging/logger.ts'
import { NeededFile } from '../../process/needed-file.ts'

/**
 * Returns the authorities whose certificates servers must have, in PEM. They can change; throws an
 * Error while they aren't valid.
 */
export type TrustedCa = () => string

/** Returns the authorities; undefined for plaintext. Throws Unavailable if they aren't valid. */
export function currentCa(trustedCa: TrustedCa | undefined): string | undefined {
  try {
    return trustedCa?.()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new ConnectError(message, Code.Unavailable, undefined, undefined, cause)
  }
}

/** Follows the file of RPC_TLS_CA_FILE. Until it is valid, calls of other services fail. */
export function followRpcCa(
  file: TrustedCaFile | undefined,
  logger: Logger,
): NeededFile | undefined {
  return file && new NeededFile(file, logger, 'no calls of other services, and not ready')
}
