import { CostSource } from '@slipway/proto/slipway/observability/v1/run'
import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'
import { namesOf } from '@slipway/shared/enum-names'
import { Type } from 'typebox'

import { AnyText, Choice, NamedText, Time } from '../../http/schemas/kinds.ts'
import { traceExample } from './examples.ts'

/** An integer that can exceed a double's precision. */
export const BigInteger = (description: string) =>
  Type.Unsafe<bigint>({ type: 'integer', format: 'int64', minimum: 0, description })

/** A duration. */
export const Milliseconds = (description: string) => Type.Number({ description })

/** An amount of money. */
export const Dollars = (description: string) =>
  Type.Number({ minimum: 0, description: `${description}, in US dollars` })

/** Who says what calls cost. */
export const CostSourceName = Choice(namesOf(CostSource), {
  title: 'CostSource',
  description:
    'Whether the cost was reported by the sender, or is, also in part, an estimate from a list ' +
    'of prices (`base_prices`: that of the model that was fine-tuned, or to which a router sends ' +
    'requests); absent if the cost is unknown, and for older spans',
})

/** Whether the tokens in a response are exact. */
export const isEstimate = Type.Boolean({
  description:
    'Whether some tokens may be counted twice, because too many traces report them in several ' +
    'spans',
})

export const TraceId = NamedText('TraceId', 'Id of a trace: 32 hexadecimal digits', {
  pattern: '^[0-9a-fA-F]{32}$',
  examples: [traceExample.trace_id],
})

/** The status of a run or a span. */
export const StatusName = Choice(namesOf(TraceStatus), {
  title: 'TraceStatus',
  description: 'Whether the run, or the span, ended with an error',
})

/** The time range of a query. */
export const RangeQuery = Type.Object({
  start_time: Type.Optional(Time('Start, inclusive; 24 hours before the end by default')),
  end_time: Type.Optional(Time('End, exclusive; now by default')),
})

/** What lists and single traces show of a trace. */
export const entryMembers = {
  trace_id: TraceId,
  name: AnyText('Name of the root span'),
  status: StatusName,
  latency_ms: Milliseconds('Duration of the root span'),
  input: AnyText('Input of the agent'),
  output: AnyText('Output of the agent'),
  timestamp: Time('Start of the trace'),
}
