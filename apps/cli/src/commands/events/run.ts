import type { ReceivedEvent } from '@slipway/client'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/implementation.ts'
import { table, lines, type Text } from '../../output/blocks.ts'
import { STATE_STYLES } from '../../deployments/states.ts'
import { localTime } from '../../output/times.ts'
import type { EventLine } from './result.ts'
import { readEvents } from './read.ts'

export interface EventsFlags {
  readonly follow: boolean
  readonly since?: Date
}

export const events: Implementation<EventsFlags, [agent?: AgentReference], EventLine> = {
  async *run(cli, { follow, since }, reference) {
    const agent = await agentOf(cli, reference)
    let isEmpty = true
    for await (const received of readEvents(await cli.client(), agent, follow, cli.signal)) {
      const { time, type } = received.event
      if (since !== undefined && Date.parse(time) < since.getTime()) continue
      isEmpty = false
      yield toLine(received)
      if (type === 'undeployed') return
    }
    if (isEmpty && !cli.signal.aborted) cli.printer.say('no events')
  },

  view(line, { printer }) {
    const { time, revision } = line
    if (printer.isTerminal) {
      const at = localTime(time)
      return [lines([{ text: at, style: 'faint' }, ` revision ${revision}: `, whatOf(line)])]
    }
    const row = [time, String(revision), line.type, line.state ?? '', detailOf(line)]
    return [table({ columns: [], rows: [row], empty: '' })]
  },
}

function toLine({ id, event }: ReceivedEvent): EventLine {
  const { type, time, revision, build_id, ...rest } = event
  return { id, type, time, revision, build_id, ...rest }
}

function detailOf({ reason, errors = [] }: EventLine): string {
  return [reason ?? '', ...errors].filter((text) => text !== '').join('; ')
}

/** The event in words. */
function whatOf(line: EventLine): Text {
  const detail = detailOf(line)
  const { state } = line
  const words = WORDS[line.type] ?? line.type.replaceAll('_', ' ')
  const text = `${words}${state === undefined ? '' : ` ${state}`}${detail && `: ${detail}`}`
  const ofState = Object.entries(STATE_STYLES).find(([name]) => name === state)?.[1]
  const isBad = ['failed', 'partial', 'ingestion_failed'].includes(line.type)
  return { text, style: ofState ?? (isBad ? 'bad' : undefined) }
}

const WORDS: Readonly<Record<string, string>> = {
  snapshot: 'it is',
  requested: 'deploy requested',
  applied: 'all objects applied',
  partial: 'applied in part',
  failed: 'not applied',
  state_changed: 'is now',
}
