import { jetstream, type JsMsg } from '@nats-io/jetstream'
import { headers } from '@nats-io/nats-core'

import type { Nats } from './nats.ts'
import { DEAD_LETTER_STREAM } from './streams.ts'

/**
 * Publishes a message that a consumer gives up on to `slipway-dead-letter.<durable>`, with its
 * original subject in a header, and stops its redelivery.
 */
export async function deadLetter(
  nats: Nats,
  message: JsMsg,
  durable: string,
  signal: AbortSignal,
): Promise<void> {
  const { connection } = await nats.session(signal)
  const notes = headers()
  notes.set('Slipway-Subject', message.subject)
  await jetstream(connection).publish(`slipway-dead-letter.${durable}`, message.data, {
    headers: notes,
    msgID: `${durable}:${message.headers?.get('Nats-Msg-Id') ?? message.seq}`,
    expect: { streamName: DEAD_LETTER_STREAM },
  })
  message.term('dead-lettered')
}
