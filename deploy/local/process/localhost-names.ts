import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, setGlobalDispatcher } from 'undici'

/**
 * Makes `fetch` resolve all names in `localhost` to this machine, as browsers do by RFC 6761. The
 * resolvers of most systems know only `localhost` itself.
 */
export function resolveLocalhostNames(): void {
  setGlobalDispatcher(new Agent({ connect: { lookup: lookupLocalhost } }))
}

/** Looks a name up; those in `localhost` are this machine. */
export const lookupLocalhost: LookupFunction = (name, options, done) => {
  if (!name.endsWith('.localhost')) lookup(name, options, done)
  else if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }])
  else done(null, '127.0.0.1', 4)
}
