import { reportUnsafeSetting } from '@slipway/shared/unsafe-settings'
import type { Logger } from '@slipway/shared/logger'

/** Where agents are reachable, and whether they may share a site with the console. */
export interface AgentHosts {
  /** The domain of their hosts; undefined if it isn't known. */
  readonly domain: string | undefined
  readonly mayShareSite: boolean
}

/**
 * Whether two hosts may be in one registered domain, so that each can set cookies that browsers
 * send to the other. That of a registered domain has at least two labels. Hosts below a public
 * suffix with several labels, such as co.uk, only seem to share it.
 */
export function mayShareSite(host: string, domain: string): boolean {
  const ending = /[^.]+\.[^.]+$/.exec(host.toLowerCase())?.[0]
  return ending !== undefined && `.${domain.toLowerCase()}`.endsWith(`.${ending}`)
}

/** Reports to the operator, at most once, that agents can lock people out of the console. */
export class SharedSite {
  readonly #hosts: AgentHosts
  readonly #logger: Logger
  #isReported = false

  constructor(hosts: AgentHosts, logger: Logger) {
    this.#hosts = hosts
    this.#logger = logger
  }

  /** Checks an origin at which people use the console. */
  check(origin: string): void {
    const { domain, mayShareSite: isAccepted } = this.#hosts
    const { hostname } = new URL(origin)
    if (this.#isReported || isAccepted || domain === undefined) return
    if (!mayShareSite(hostname, domain)) return
    this.#isReported = true
    reportUnsafeSetting(this.#logger, {
      setting: 'INGRESS_DOMAIN',
      problem: `agents below ${domain} can set cookies for ${hostname}, and lock people out`,
      remedy: 'use another registered domain for agents, or set INGRESS_SHARES_SITE to on',
    })
  }
}
