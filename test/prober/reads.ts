import { inTurn } from './in-turn.ts'
import { call, type Kind, type Parts } from './parts.ts'

interface Read {
  readonly path: string
  readonly token?: string
}

/** Reads of the catalog. */
export function catalogReads(parts: Parts): Kind[] {
  const { stage } = parts
  const next = inTurn(stage.people)
  const read = (name: string, share: number, what: () => Promise<Read>): Kind => ({
    name,
    share,
    async send() {
      await call(parts, name, { method: 'GET', ...(await what()) })
    },
  })
  return [
    read('public list', 20, async () => ({ path: '/agents?limit=20' })),
    read('public detail', 20, async () => {
      const { person: owner, name } = stage.newestPublished
      return { path: `/agents/${owner.account}/${name}` }
    }),
    read('me', 20, async () => ({ path: '/me', token: await next().token() })),
    read('list', 30, async () => {
      const user = next()
      return { path: `/agents/${user.account}?limit=20`, token: await user.token() }
    }),
    read('detail', 40, async () => {
      const { person: owner, name } = stage.newest
      return { path: `/agents/${owner.account}/${name}`, token: await owner.token() }
    }),
  ]
}

/** Reads of deployments and traces. */
export function deploymentReads(parts: Parts): Kind[] {
  const read = (name: string, share: number, rest: string): Kind => {
    const next = inTurn(parts.stage.deployed)
    return {
      name,
      share,
      async send() {
        const { person, name: agent } = next()
        const path = `/agents/${person.account}/${agent}${rest}`
        await call(parts, name, { method: 'GET', path, token: await person.token() })
      },
    }
  }
  return [
    read('deployment', 32, '/deployment'),
    read('revisions', 8, '/deployment/revisions?limit=10'),
    read('traces', 6, '/observability/traces?limit=20'),
    read('summary', 2, '/observability/summary'),
  ]
}
