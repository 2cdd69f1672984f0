import { NO_TOOLS, type Sender } from '../../sender.ts'

const CAPTURE = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'
const latest = { OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental' }
const inLegacyEvents = { [CAPTURE]: 'true' }
const inSpans = { ...latest, [CAPTURE]: 'SPAN_ONLY' }
const inEvents = { ...latest, [CAPTURE]: 'EVENT_ONLY' }
const inBoth = { ...latest, [CAPTURE]: 'SPAN_AND_EVENT' }

const withoutContent = {
  input: `${CAPTURE}=true`,
  output: `${CAPTURE}=true`,
}

/** The official instrumentation of the OpenAI SDK, with content in each of its places. */
export const openaiV2: Sender = {
  name: 'openai-v2',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['opentelemetry-instrumentation-openai-v2', 'openai', 'opentelemetry-sdk'],
  defaults: { notSent: { cached_tokens: 'not sent', reasoning_tokens: 'not sent' } },
  cases: {
    guide: { scenario: 'guide-plain', isGuide: true },
    'plain-none': { scenario: 'plain', notSent: withoutContent },
    'plain-legacy-events': { scenario: 'plain', env: inLegacyEvents },
    'plain-span': { scenario: 'plain', env: inSpans },
    'plain-event': { scenario: 'plain', env: inEvents },
    'plain-span-and-event': { scenario: 'plain', env: inBoth },
    'plain-without-root': { scenario: 'plain', env: inSpans, mode: 'without-root' },
    'tool-none': { scenario: 'tool', notSent: { ...withoutContent, ...NO_TOOLS } },
    'tool-legacy-events': { scenario: 'tool', env: inLegacyEvents, notSent: NO_TOOLS },
    'tool-span': { scenario: 'tool', env: inSpans, notSent: NO_TOOLS },
    'tool-event': { scenario: 'tool', env: inEvents, notSent: NO_TOOLS },
    'stream-legacy-events': { scenario: 'stream', env: inLegacyEvents },
    'stream-span': { scenario: 'stream', env: inSpans },
    'stream-tool-event': { scenario: 'stream-tool', env: inEvents, notSent: NO_TOOLS },
    'model-error-legacy-events': { scenario: 'model-error', env: inLegacyEvents },
    'model-error-span': { scenario: 'model-error', env: inSpans },
    'image-span': {
      scenario: 'image',
      env: inSpans,
      notSent: { input: 'the text of a message with several parts has no setting' },
    },
    'embedding-span': { scenario: 'embedding', env: inSpans },
  },
}
