import type { Schemas } from '@slipway/client'

const NONE: Schemas['Revision'] = {
  revision: 1,
  build_id: 'b1',
  state: 'superseded',
  live: false,
  restorable: true,
  was_ready: true,
  errors: [],
  created_at: '2026-11-22T12:00:00.000Z',
  created_by: '0d9f3c9e-6a53-4b7c-8f43-3c5d8f1f0a11',
}

/** A revision of build `b1` that was ready, with other values. */
export function revisionWith(values: Partial<Schemas['Revision']>): Schemas['Revision'] {
  return { ...NONE, ...values }
}
