import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

const { OPENAI_BASE_URL = 'https://api.openai.com/v1', OPENAI_API_KEY, MODEL } = process.env
const INSTRUCTIONS = 'Answer in one short paragraph.'
const TIMEOUT_MS = 60_000

/** What the agent does: asks the model. Change the instructions, or add tools. */
export async function answer(question) {
  const messages = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: question },
  ]
  return await chat(messages)
}

/** Calls the model within a span that has its name and tokens. */
function chat(messages) {
  const options = {
    kind: SpanKind.CLIENT,
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': MODEL },
  }
  return trace.getTracer('my-agent').startActiveSpan(`chat ${MODEL}`, options, async (span) => {
    try {
      const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${OPENAI_API_KEY}` },
        body: JSON.stringify({ model: MODEL, messages }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!response.ok) throw new Error(`the model answered ${response.status}`)
      const { choices, model, usage } = await response.json()
      span.setAttributes({
        'gen_ai.response.model': model,
        'gen_ai.usage.input_tokens': usage?.prompt_tokens,
        'gen_ai.usage.output_tokens': usage?.completion_tokens,
      })
      return choices[0].message.content
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
      throw error
    } finally {
      span.end()
    }
  })
}
