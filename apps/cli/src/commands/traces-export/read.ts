import { toConnectionError } from '@slipway/client'

import type { Agent } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import type { filterQuery } from '../../traces/filters.ts'

export type ExportFormat = 'otlp' | 'jsonl'

/** Most traces of a request. */
const PAGE = 500

/** Yields the export of one trace as it arrives. */
export async function* exportedTrace(
  cli: Cli,
  trace: Agent & { readonly trace_id: string },
  format: ExportFormat,
): AsyncGenerator<string, void> {
  const client = await cli.client()
  const path = '/api/v1/agents/{account}/{name}/observability/traces/{trace_id}/export'
  const params = { path: { ...trace }, query: { format } }
  const init = { params, parseAs: 'stream', signal: cli.signal } as const
  const { response } = await client.GET(path, init)
  yield* textOf(cli, response)
}

/** Yields the export of the newest traces, page after page. Says so if there are more. */
export async function* exportedList(
  cli: Cli,
  agent: Agent,
  filters: ReturnType<typeof filterQuery> & { readonly format: ExportFormat },
  most: number,
): AsyncGenerator<string, void> {
  const client = await cli.client()
  const path = '/api/v1/agents/{account}/{name}/observability/traces/export'
  let next: object | undefined = {}
  for (let rest = most; rest > 0; rest -= PAGE) {
    const query = { ...filters, limit: Math.min(rest, PAGE), ...next }
    const params = { path: { ...agent }, query }
    const init = { params, parseAs: 'stream', signal: cli.signal } as const
    const { response } = await client.GET(path, init)
    yield* textOf(cli, response)
    next = nextQuery(response.headers.get('link'), client.url)
    if (next === undefined) return
  }
  cli.printer.say(`the newest ${most} traces; there are more: --limit`, 'warning')
}

/** Where the next page begins, and the range of the first, from a header `Link`. */
function nextQuery(link: string | null, base: string): object | undefined {
  const target = /<([^>]+)>; *rel="next"/.exec(link ?? '')?.[1]
  if (target === undefined) return undefined
  const given = new URL(target, base).searchParams
  const names = ['offset', 'start_time', 'end_time']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

async function* textOf(cli: Cli, { body }: Response): AsyncGenerator<string, void> {
  try {
    yield* body?.pipeThrough(new TextDecoderStream()) ?? []
  } catch (error) {
    cli.signal.throwIfAborted()
    throw toConnectionError(error, (await cli.server()).url)
  }
}
