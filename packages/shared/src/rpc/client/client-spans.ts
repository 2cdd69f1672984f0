import type { DescMethod } from '@bufbuild/protobuf'
import { ConnectError, type StreamResponse } from '@connectrpc/connect'

import { openSpan } from '../../telemetry/spans.ts'
import { traceHeaders } from '../../telemetry/trace-context.ts'
import { codeName } from '../policies/code-name.ts'
import type { RpcTransport } from './rpc-transport.ts'

/** Ends a call's span, with the error if the call failed. */
type EndSpan = (error?: unknown) => void

/**
 * The protocol of a call, as OpenTelemetry names it.
 * https://opentelemetry.io/docs/specs/semconv/rpc/rpc-spans/
 */
type RpcSystem = 'grpc' | 'connectrpc'

/** Records a span for each call, which becomes the parent of the server's span. */
export function withClientSpans(transport: RpcTransport, system: RpcSystem): RpcTransport {
  return {
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      const headers = new Headers(header)
      const end = beginSpan(method, headers, system)
      try {
        const response = await transport.unary(
          method,
          signal,
          timeoutMs,
          headers,
          input,
          contextValues,
        )
        end()
        return response
      } catch (error) {
        end(error)
        throw error
      }
    },

    async stream(method, signal, timeoutMs, header, input, contextValues) {
      const headers = new Headers(header)
      const end = beginSpan(method, headers, system)
      // The caller may not read an aborted stream to its end.
      signal?.addEventListener('abort', () => end(signal.reason), { once: true })
      try {
        const response = await transport.stream(
          method,
          signal,
          timeoutMs,
          headers,
          input,
          contextValues,
        )
        return { ...response, message: untilItsEnd(response.message, end) } as typeof response
      } catch (error) {
        end(error)
        throw error
      }
    },

    [Symbol.dispose]: () => transport[Symbol.dispose](),
  }
}

/** Starts the span of a call. Only the first call of the returned function has an effect. */
function beginSpan({ parent, name }: DescMethod, headers: Headers, system: RpcSystem): EndSpan {
  const method = `${parent.typeName}/${name}`
  let span = openSpan({
    kind: 'client',
    name: method,
    parent: { traceparent: headers.get('traceparent'), tracestate: headers.get('tracestate') },
    attributes: { 'rpc.system.name': system, 'rpc.method': method },
  })
  if (span !== undefined) {
    headers.delete('tracestate')
    for (const [key, value] of Object.entries(traceHeaders(span))) headers.set(key, value)
  }
  return (error) => {
    const code = error === undefined ? 'ok' : codeName(ConnectError.from(error).code)
    span?.end({ 'rpc.response.status_code': code }, error === undefined ? undefined : code)
    span = undefined
  }
}

async function* untilItsEnd(
  messages: StreamResponse['message'],
  end: EndSpan,
): AsyncGenerator<unknown, void> {
  try {
    yield* messages
  } catch (error) {
    end(error)
    throw error
  } finally {
    end()
  }
}
