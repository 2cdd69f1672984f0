import { createServer } from 'node:http'
import { SpanStatusCode, trace } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { answer } from './answer.js'

const LONGEST_QUESTION = 64 * 1024

// A deploy sets the OTEL_* variables, which the SDK reads. Without them, there are no traces.
const telemetry = new NodeSDK({ metricReaders: [], logRecordProcessors: [] })
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) telemetry.start()

/** Answers within a span, whose input and output the trace shows. */
function traced(question) {
  return trace.getTracer('my-agent').startActiveSpan('answer', async (span) => {
    span.setAttribute('input.value', question)
    try {
      const text = await answer(question)
      span.setAttribute('output.value', text)
      return text
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
      throw error
    } finally {
      span.end()
    }
  })
}

const server = createServer(async (request, response) => {
  if (request.url === '/healthz') return response.end('ok')
  if (request.method !== 'POST') return response.writeHead(405).end('POST a question\n')
  let question = ''
  for await (const chunk of request.setEncoding('utf8')) {
    question += chunk
    if (question.length > LONGEST_QUESTION) return response.writeHead(413).end('too long\n')
  }
  try {
    response.end(`${await traced(question)}\n`)
  } catch (error) {
    console.error(error)
    response.writeHead(500).end('the agent failed; its log says why\n')
  }
})
server.listen(Number(process.env.PORT ?? 8080), () => {
  console.log(`listening on ${server.address().port}`)
})

process.once('SIGTERM', async () => {
  server.close()
  await telemetry.shutdown() // sends the last traces
  process.exit()
})
