import { fromBinary, type DescMethod } from '@bufbuild/protobuf'
import { Code, ConnectError, type ContextValues } from '@connectrpc/connect'

import { InvalidInput } from '../../errors.ts'
import { countJsonValues } from '../../json-values.ts'
import { MAX_ANONYMOUS_REQUEST_BYTES, MAX_REQUEST_BYTES, MAX_REQUEST_VALUES } from '../limits.ts'
import { callerKey } from '../policies/call-context.ts'
import { toConnectError, unreadableRequest } from '../policies/error-mapping.ts'
import { openCallKey } from '../policies/open-call.ts'
import { countValues } from './message-values.ts'

/** The maximum size of a call's request, which depends on whether its caller is known. */
export function maxRequestBytes(values: ContextValues): number {
  const isAnonymous = values.get(openCallKey) !== undefined && values.get(callerKey) === undefined
  return isAnonymous ? MAX_ANONYMOUS_REQUEST_BYTES : MAX_REQUEST_BYTES
}

/** The error for a request that is larger than `maxBytes`. */
export function requestTooLarge(maxBytes: number): ConnectError {
  return new ConnectError(`the message is larger than ${maxBytes} bytes`, Code.ResourceExhausted)
}

/** Decodes a method's request. Throws the ConnectError to send if it is invalid or too large. */
export function decodeRequest({ input }: DescMethod, bytes: Uint8Array): object {
  try {
    requireFewValues(bytes, (limit) => countValues(input, bytes, limit))
    return fromBinary(input, bytes)
  } catch (error) {
    throw error instanceof ConnectError ? error : unreadableRequest(error)
  }
}

/**
 * Checks a request that Connect's own handlers decode later. They report bytes that are not a
 * message as an internal error.
 */
export function checkRequest(
  method: DescMethod,
  bytes: Uint8Array,
  format: 'binary' | 'json',
): void {
  if (format === 'binary') decodeRequest(method, bytes)
  else requireFewValues(bytes, (limit) => countJsonValues(bytes, limit))
}

/**
 * Throws `too_large` if a request has too many values. A decoded value can take a hundred times its
 * encoded size, so they are counted before the request is decoded.
 */
function requireFewValues(encoded: Uint8Array, count: (limit: number) => number): void {
  // A value takes at least two bytes.
  if (encoded.length <= 2 * MAX_REQUEST_VALUES) return
  if (count(MAX_REQUEST_VALUES) <= MAX_REQUEST_VALUES) return
  throw toConnectError(
    new InvalidInput(
      'too_large',
      `the request has more than ${MAX_REQUEST_VALUES} values; split it`,
    ),
  )
}
