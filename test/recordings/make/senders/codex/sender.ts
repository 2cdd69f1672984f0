import type { Sender } from '../../sender.ts'

/** Codex CLI. What its user asks and what is answered are in log records. */
export const codex: Sender = {
  name: 'codex',
  folder: import.meta.dirname,
  runtime: 'node',
  packages: ['@openai/codex'],
  defaults: {
    expected: { kinds: ['agent', 'model'] },
    notSent: {
      models: 'the version that answered',
      session_id: 'it makes one for each conversation',
      user_id: 'those of an account at OpenAI are sent',
    },
  },
  cases: {
    plain: {},
    'plain-without-content': {
      scenario: 'plain',
      mode: 'without-content',
      notSent: { input: 'log_user_prompt', output: 'log_agent_responses' },
    },
    tool: { expected: { kinds: ['agent', 'model', 'tool'] } },
    session: {},
  },
}
