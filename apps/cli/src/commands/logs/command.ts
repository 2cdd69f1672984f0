import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import { wholeNumber } from '../../command/values/amount.ts'
import { parseTime } from '../../command/values/time.ts'
import { componentFlag } from '../../deployments/component-flag.ts'
import type { LogEntry } from './result.ts'
import type { LogsFlags } from './run.ts'

export const logs = define<LogsFlags, [agent?: AgentReference], LogEntry>({
  brief: 'Print the logs and events of all pods of an agent',
  description:
    'Lines of all pods, merged by time, and the events of the cluster between them. A followed\n' +
    'log also has the lines of new pods, and continues after the connection was cut, without\n' +
    'loss or repetition. It ends with Ctrl-C (exit code 130), or when the agent is undeployed\n' +
    '(0).\n' +
    '\n' +
    'The last lines of deleted pods that had failed are there for an hour, and have (gone) on a\n' +
    'terminal.\n' +
    '\n' +
    'In a pipe, each line has its time, its pod and container, and the text, with tabs between\n' +
    'them. The JSON has one object a line.',
  examples: [
    ['slipway logs support-agent -f', 'follows the log'],
    ['slipway logs support-agent --since 15m --grep "timeout|refused"', 'looks for errors'],
    ['slipway logs support-agent --previous', 'shows why containers have restarted'],
  ],
  positional: { kind: 'tuple', parameters: [agentParameter] },
  flags: {
    follow: { kind: 'boolean', default: false, withNegated: false, brief: 'Go on with new lines' },
    since: {
      kind: 'parsed',
      parse: (text) => parseTime(text),
      optional: true,
      placeholder: 'time',
      brief: 'Only lines after this time, or this long ago, like 15m',
    },
    tail: {
      kind: 'parsed',
      parse: wholeNumber(1, 5000),
      default: '200',
      placeholder: 'lines',
      brief: 'Lines from the end, of all pods together (of each with --previous), 1 to 5000',
    },
    component: componentFlag,
    previous: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'The logs before the last restart of each pod that has restarted',
    },
    grep: {
      kind: 'parsed',
      parse: parsePattern,
      optional: true,
      placeholder: 'pattern',
      brief: 'Only lines whose text matches this regular expression of JavaScript',
    },
    ignoreCase: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Let --grep ignore upper and lower case',
    },
    timestamps: {
      kind: 'boolean',
      default: true,
      brief: 'Begin each line with its time',
    },
    events: { kind: 'boolean', default: true, brief: 'Show the events of the cluster too' },
  },
  aliases: { f: 'follow', n: 'tail', t: 'timestamps', i: 'ignoreCase' },
  json: { lines: true, schema: 'result.ts' },
  load: async () => (await import('./run.ts')).logs,
})

function parsePattern(text: string): string {
  try {
    void new RegExp(text)
  } catch (error) {
    const { message } = error as Error
    throw new Error(`${message}; write \\ before a character that is meant as it is`)
  }
  return text
}
