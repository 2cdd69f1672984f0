import type { Sender } from '../../sender.ts'

const noTools = { tools: "OpenInference's instrumentation", kinds: 'as tools' }

/** CrewAI with OpenLLMetry. */
export const traceloopCrewai: Sender = {
  name: 'traceloop-crewai',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'opentelemetry-instrumentation-crewai',
    'opentelemetry-instrumentation-openai',
    'crewai',
    'opentelemetry-sdk',
  ],
  defaults: { expected: { kinds: ['agent', 'model'] } },
  cases: {
    plain: {},
    tool: { notSent: noTools },
    'tool-error': { notSent: noTools },
    'model-error': {},
  },
}
