import type { Schemas } from '@slipway/client'
import { Type, type Static } from 'typebox'

import { bodyOf } from '../../command/body-of.ts'

const OF_AGENT = 'GET /agents/{account}/{name}/observability'

export const schema = Type.Object({
  summary: bodyOf<Schemas['Summary']>(`${OF_AGENT}/summary`),
  metrics: bodyOf<Schemas['Metrics']>(`${OF_AGENT}/metrics`),
})

export type AgentMetrics = Static<typeof schema>
