import { setImmediate as nextTurn } from 'node:timers/promises'

import { createLogger, type Logger } from '@slipway/shared/logger'
import { plainLines } from '@slipway/shared/plain-lines'
import { pino } from 'pino'

import type { Side, StartSide } from '../side.ts'

/** Lines between two turns of the event loop, where the logger's timer can fire. */
const LINES_A_TURN = 100

const same = { method: 'GET', route: '/api/v1/agents/:account/:name', status: 200 }
const differing = {
  durationMs: 0.3,
  requestId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  traceId: '0af7651916cd43dd8448eb211c80319c',
}

/** Writers of a request's log line to standard output. */
export const sides: Readonly<Record<string, StartSide>> = {
  slipway: () => {
    const writeLine = plainLines(createLogger('gateway', 'info'))('request', same)
    return repeatLine(() => writeLine(differing))
  },
  pino: () => repeatLine(lineOf(createLogger('gateway', 'info'))),
  'pino without redaction': () =>
    repeatLine(
      lineOf(
        pino({
          base: { service: 'gateway' },
          messageKey: 'event',
          timestamp: pino.stdTimeFunctions.isoTime,
          formatters: { level: (label) => ({ level: label }) },
        }),
      ),
    ),
}

function lineOf(logger: Logger): () => void {
  return () => logger.info({ ...same, ...differing }, 'request')
}

function repeatLine(writeLine: () => void): Side {
  return {
    async run(count) {
      for (let done = 0; done < count; done += 1) {
        writeLine()
        if (done % LINES_A_TURN === 0) await nextTurn()
      }
    },
  }
}
