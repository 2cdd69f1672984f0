import { Type } from 'typebox'

import { AnyText, Text, Time } from '../../http/schemas/kinds.ts'
import { sessionExample, sessionListExample } from './examples.ts'
import { FilterText, PageQuery, TraceEntry } from './list-schemas.ts'
import { BigInteger, isEstimate, RangeQuery } from './schemas.ts'

export const SessionQuery = Type.Interface([RangeQuery, PageQuery], {
  q: FilterText('Only sessions whose id starts with this text'),
  user_id: FilterText('Only sessions of this user'),
  has_errors: Type.Optional(
    Type.Boolean({
      description: 'Only sessions with a turn that failed, or only those without one',
    }),
  ),
})

const sessionMembers = {
  session_id: Text('Id of the session'),
  first_timestamp: Time('Start of the first turn'),
  last_timestamp: Time('Start of the last turn'),
  turn_count: BigInteger('Number of turns; each is a trace'),
  error_count: BigInteger('Turns that failed'),
  input_tokens: BigInteger('Input tokens of all calls of models, counted once'),
  output_tokens: BigInteger('Output tokens of all calls of models, counted once'),
  cost_usd: Type.Optional(
    Type.Number({ minimum: 0, description: 'Cost of all calls in US dollars; absent if unknown' }),
  ),
  user_id: Type.Optional(Text('User of the first turn that has one')),
  input: AnyText('Input of the first turn'),
  output: AnyText('Output of the last turn'),
}

const SessionEntry = Type.Object(sessionMembers, {
  title: 'SessionEntry',
  description: 'A conversation with an agent',
})

const pageMembers = {
  total: BigInteger('Number of entries that match'),
  limit: Type.Integer({ description: 'The limit of the query' }),
  offset: Type.Integer({ description: 'The offset of the query' }),
}

export const SessionList = Type.Object(
  {
    sessions: Type.Array(SessionEntry, { description: 'By their last turns, newest first' }),
    tokens_estimated: isEstimate,
    ...pageMembers,
  },
  { title: 'SessionList', description: 'A page of sessions', examples: [sessionListExample] },
)

export const Session = Type.Object(
  {
    ...sessionMembers,
    turns: Type.Array(TraceEntry, { description: 'Oldest first' }),
    tokens_estimated: isEstimate,
    limit: pageMembers.limit,
    offset: pageMembers.offset,
  },
  { title: 'Session', description: 'A conversation with its turns', examples: [sessionExample] },
)
