import { define } from '../../command/define.ts'

export const whoami = define({
  brief: 'Show who you are, and your accounts',
  json: { bodyOf: 'GET /me' },
  load: async () => (await import('./run.ts')).whoami,
})
