import type { Schemas } from '@slipway/client'
import type { FlagParametersForType } from '@stricli/core'

import type { ProcessContext } from '../command/process-context.ts'
import { parseMinimum, parseRange, type Range } from '../command/values/amount.ts'
import { rangeFlags, rangeQuery, type RangeFlags } from '../command/values/range.ts'
import { parseDuration } from '../command/values/time.ts'

/** Which traces to list or export. */
export interface TraceFilters extends RangeFlags {
  readonly errors: boolean
  readonly status?: Schemas['TraceStatus']
  readonly slower?: number
  readonly tokens?: Range
  readonly cost?: number
  readonly session?: string
  readonly user?: string
  readonly model?: string
  readonly tool?: string
  readonly build?: string
  readonly search?: string
}

const text = (placeholder: string, brief: string) =>
  ({ kind: 'parsed', parse: String, optional: true, placeholder, brief }) as const

export const filterFlags: FlagParametersForType<TraceFilters, ProcessContext> = {
  errors: {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'Only traces with a span that failed',
  },
  status: {
    kind: 'enum',
    values: ['ok', 'error'],
    optional: true,
    brief: 'Only traces that have ended so',
  },
  slower: {
    kind: 'parsed',
    parse: (value) => parseDuration(value.replace(/^>=?/, '')),
    optional: true,
    placeholder: 'duration',
    brief: 'Only traces that took at least this long, like 5s or 800ms',
  },
  tokens: {
    kind: 'parsed',
    parse: parseRange,
    optional: true,
    placeholder: 'range',
    brief: "Only traces with this number of tokens: 10k or more, '>10k', '<500' or 1k..5k",
  },
  cost: {
    kind: 'parsed',
    parse: parseMinimum,
    optional: true,
    placeholder: 'dollars',
    brief: 'Only traces that cost at least this number of US dollars, like 0.10',
  },
  session: text('id', 'Only traces of this session'),
  user: text('id', 'Only traces of this user'),
  model: text('name', 'Only traces with a call of this model'),
  tool: text('name', 'Only traces with a call of this tool'),
  build: text('id', 'Only traces of this build'),
  search: text('text', 'Only traces with this text in the name, input or output of a span'),
  ...rangeFlags,
}

/** The filters as the API takes them. */
export function filterQuery(filters: TraceFilters) {
  const { errors, status, slower, tokens, cost, session, user, model, tool, build, search } =
    filters
  return {
    ...rangeQuery(filters),
    ...(errors && { has_errors: true }),
    ...(status !== undefined && { status }),
    ...(slower !== undefined && { min_latency_ms: slower }),
    ...(tokens?.min !== undefined && { min_tokens: tokens.min }),
    ...(tokens?.max !== undefined && { max_tokens: tokens.max }),
    ...(cost !== undefined && { min_cost_usd: cost }),
    ...(session !== undefined && { session_id: session }),
    ...(user !== undefined && { user_id: user }),
    ...(model !== undefined && { model }),
    ...(tool !== undefined && { tool }),
    ...(build !== undefined && { build_id: build }),
    ...(search !== undefined && { q: search }),
  }
}
