import type { Sender } from '../../sender.ts'

const detailed = 'ENABLE_BETA_TRACING_DETAILED=1'
const notSent = {
  user_id: 'that of the installation is sent',
  session_id: 'it makes one for each conversation',
  reasoning_tokens: 'not part of the API',
}

/** The Claude Agent SDK. It runs Claude Code, whose answers are in log records. */
export const claudeAgentSdk: Sender = {
  name: 'claude-agent-sdk',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['claude-agent-sdk'],
  defaults: {
    env: {
      CLAUDE_CODE_ENABLE_TELEMETRY: '1',
      CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
      OTEL_LOG_ASSISTANT_RESPONSES: '1',
      OTEL_LOG_TOOL_CONTENT: '1',
      OTEL_LOG_TOOL_DETAILS: '1',
      OTEL_LOG_USER_PROMPTS: '1',
      OTEL_LOGS_EXPORTER: 'otlp',
      OTEL_TRACES_EXPORTER: 'otlp',
    },
    expected: { kinds: ['agent', 'model'] },
    notSent,
  },
  cases: {
    guide: {
      isGuide: true,
      expected: { kinds: ['agent', 'model', 'tool'] },
      notSent: { tools: `their arguments, without ${detailed}` },
    },
    plain: {},
    'plain-without-content': {
      scenario: 'plain',
      env: {
        OTEL_LOG_ASSISTANT_RESPONSES: '0',
        OTEL_LOG_TOOL_CONTENT: '0',
        OTEL_LOG_TOOL_DETAILS: '0',
        OTEL_LOG_USER_PROMPTS: '0',
      },
      notSent: {
        input: 'OTEL_LOG_USER_PROMPTS=1',
        output: 'OTEL_LOG_ASSISTANT_RESPONSES=1',
      },
    },
    tool: {
      expected: { kinds: ['agent', 'model', 'tool'] },
      notSent: { tools: `their arguments, without ${detailed}` },
    },
    'model-error': {
      notSent: {
        status: 'the span of the agent has none',
        status_message: 'as status',
        models: 'the version that answered, as none did',
      },
    },
    session: {},
  },
}
