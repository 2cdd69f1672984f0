import type { Source } from './source.ts'

/**
 * OpenLLMetry's instrumentation of CrewAI, which has an agent of the conventions for each crew,
 * task and agent. It has no spans for tools.
 */
export const openLlmetryCrewAi: Source = {
  signs: ['crewai.crew.id', 'crewai.task.id', 'crewai.agent.id'],
  type: (span) => (span.has('crewai.crew.id') ? 'chain' : ''),
  // The crew has the templates of its tasks only.
  input: (span) => span.input('crewai.task.description'),
  output: (span) => span.output('traceloop.entity.output', 'crewai.crew.result'),
}
