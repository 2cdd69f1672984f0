import type { Reply, Scenario, Turn, Usage } from './scenario.ts'

// All numbers of tokens differ, and so do their sums: a wrong sum can't be right by chance.
function usage(input: number, output: number, cached = 0, reasoning = 0, written = 0): Usage {
  return { input, output, cached, reasoning, written }
}

function says(text: string, ...numbers: Parameters<typeof usage>): Reply {
  return { text, usage: usage(...numbers) }
}

function calls(name: string, args: Record<string, string>, ...numbers: Parameters<typeof usage>) {
  return { call: { name, arguments: args }, usage: usage(...numbers) }
}

function turn(text: string, replies: readonly Reply[], more: Partial<Turn> = {}): Turn {
  return { text, replies, tools: [], ...more }
}

const system = 'You answer in one sentence.'
const SIGHT = 'The Pantheon is a sight in Rome.'

const france = turn('What is the capital of France?', [
  says('Paris is the capital of France.', 31, 13, 16, 5),
])
const weather = turn(
  'What is the weather in Paris?',
  [
    calls('get_weather', { city: 'Paris' }, 57, 17),
    says('It is sunny in Paris, at 21 degrees.', 103, 19, 48),
  ],
  { tools: [{ name: 'get_weather', arguments: { city: 'Paris' }, result: '21 degrees, sunny' }] },
)

// Most of the input of one answer is from a cache, and most of its output are thoughts; few of the
// other one are.
const cached = [
  turn('What is the capital of France?', [
    says('Paris is the capital of France.', 2028, 140, 1000, 128, 920),
  ]),
  turn('What is the capital of Italy?', [says('Rome is it.', 5031, 77, 300, 31, 200)]),
]

/** The scenarios by name. */
export const scenarios = {
  plain: { system, turns: [france] },
  tool: { system, turns: [weather] },
  'tool-error': {
    system,
    turns: [
      turn(
        'What is the weather on Mars?',
        [
          calls('get_weather', { city: 'Mars' }, 59, 16),
          says('I could not find the weather on Mars.', 107, 21),
        ],
        {
          tools: [
            {
              name: 'get_weather',
              arguments: { city: 'Mars' },
              error: 'no weather station on Mars',
            },
          ],
        },
      ),
    ],
  },
  'model-error': {
    system,
    turns: [turn('What is forbidden?', [{ refusal: 'the model refuses this request' }])],
  },
  stream: {
    system,
    turns: [turn('Count to three.', [says('One, two, three.', 23, 11, 0, 3)])],
    stream: true,
  },
  'stream-tool': {
    system,
    turns: [
      turn(
        'What is the weather in Oslo?',
        [
          calls('get_weather', { city: 'Oslo' }, 61, 15),
          says('It is snowing in Oslo.', 109, 12, 32),
        ],
        {
          tools: [{ name: 'get_weather', arguments: { city: 'Oslo' }, result: '-3 degrees, snow' }],
        },
      ),
    ],
    stream: true,
  },
  session: {
    system,
    turns: [
      turn('My name is Ada.', [says('Hello Ada.', 27, 7)]),
      turn('What is my name?', [says('Your name is Ada.', 45, 9, 24)]),
    ],
    sessionId: 'conversation-7f3a',
    userId: 'user-42',
  },
  nested: {
    system: 'You plan trips and ask the guide for sights.',
    turns: [
      turn(
        'Plan a day in Rome.',
        [
          calls('ask_guide', { request: 'Name a sight in Rome.' }, 71, 23),
          says('Visit the Pantheon on your day in Rome.', 137, 29),
        ],
        {
          tools: [
            { name: 'ask_guide', arguments: { request: 'Name a sight in Rome.' }, result: SIGHT },
          ],
          inner: { text: 'Name a sight in Rome.', replies: [says(SIGHT, 37, 14)] },
        },
      ),
    ],
  },
  cached: { system, turns: cached },
  'cached-stream': { system, turns: cached, stream: true },
  guide: { system: '', turns: [weather], sessionId: 'conversation-7f3a', userId: 'user-42' },
  'guide-plain': {
    system: '',
    turns: [france],
    sessionId: 'conversation-7f3a',
    userId: 'user-42',
  },
  image: {
    system,
    turns: [turn('What is in this picture?', [says('A single red dot.', 91, 6)])],
  },
  embedding: {
    system,
    turns: [turn('Where is the umbrella?', [says('The umbrella is in the hall.', 83, 10)])],
  },
} as const satisfies Record<string, Scenario>

/** The name of a scenario. */
export type ScenarioName = keyof typeof scenarios
