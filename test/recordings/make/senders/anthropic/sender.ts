import { NO_TOOLS, type Sender } from '../../sender.ts'

const CONTENT = 'ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE'
const withContent = { [CONTENT]: 'content' }
const withoutSpans = { ANTHROPIC_OPEN_TELEMETRY: 'false' }
const noContent = { input: `${CONTENT}=content`, output: `${CONTENT}=content` }
const noReasoning = { reasoning_tokens: 'not part of the API' }
const noUser = { user_id: 'an attribute of a span made by the program' }
const notSent = { ...noReasoning, ...noUser }

/** The Anthropic SDK: its spans (sdk), those of OpenInference, and both. */
export const anthropic: Sender = {
  name: 'anthropic',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['anthropic', 'openinference-instrumentation-anthropic', 'opentelemetry-sdk'],
  cases: {
    guide: { scenario: 'guide-plain', isGuide: true, notSent: noReasoning },
    'sdk-plain': { scenario: 'plain', env: withContent, notSent },
    'sdk-plain-metadata-only': { scenario: 'plain', notSent: { ...notSent, ...noContent } },
    'sdk-tool': { scenario: 'tool', env: withContent, notSent: { ...notSent, ...NO_TOOLS } },
    'sdk-stream': { scenario: 'stream', env: withContent, notSent },
    'sdk-model-error': { scenario: 'model-error', env: withContent, notSent },
    'sdk-session': { scenario: 'session', env: withContent, notSent },
    'openinference-plain': {
      scenario: 'plain',
      mode: 'openinference',
      env: withoutSpans,
      notSent: noReasoning,
    },
    'openinference-tool': {
      scenario: 'tool',
      mode: 'openinference',
      env: withoutSpans,
      notSent: NO_TOOLS,
    },
    'openinference-stream': {
      scenario: 'stream',
      mode: 'openinference',
      env: withoutSpans,
      notSent: noReasoning,
    },
    'both-plain': { scenario: 'plain', mode: 'openinference', notSent: noReasoning },
    'both-tool': {
      scenario: 'tool',
      mode: 'openinference',
      env: withContent,
      notSent: NO_TOOLS,
    },
    'both-stream': { scenario: 'stream', mode: 'openinference', notSent: noReasoning },
    'both-session': {
      scenario: 'session',
      mode: 'openinference',
      env: withContent,
      notSent: noReasoning,
    },
  },
}
