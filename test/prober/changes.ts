import { isAcknowledged } from './outcome.ts'
import { call, type Kind, type Parts } from './parts.ts'
import type { Build } from './stage.ts'

const DEPLOY_WAIT_S = 60
const DEPLOY_TIMEOUT_MS = (DEPLOY_WAIT_S + 80) * 1000

/** Registers, publishes and deploys builds with unique ids. */
export function changes(parts: Parts): Kind[] {
  const { stage, ledger } = parts
  /** Registered builds to publish. */
  const unpublished: Build[] = []

  const register = async (build: Build) => {
    const { person, name } = build
    const outcome = await call(parts, 'register', {
      method: 'POST',
      path: `/agents/${person.account}/${name}/register`,
      token: await person.token(),
      body: stage.registration(build),
    })
    return isAcknowledged(outcome)
  }

  const registerNew = async () => {
    const build = stage.newBuild()
    if (!(await register(build))) return
    ledger.registered(build)
    stage.newest = build
    unpublished.push(build)
  }

  const publish = async () => {
    const build = unpublished.shift()
    if (build === undefined) return
    const { person, name, buildId } = build
    const version = `1.${buildId.slice(1)}.0`
    const outcome = await call(parts, 'publish', {
      method: 'POST',
      path: `/agents/${person.account}/${name}/publish`,
      token: await person.token(),
      body: { build_id: buildId, version },
    })
    if (!isAcknowledged(outcome)) return
    ledger.published(build, version)
    stage.newestPublished = build
  }

  const deploy = async () => {
    const agent = stage.deployed.find(({ isBusy }) => !isBusy)
    if (agent === undefined) return
    agent.isBusy = true
    try {
      const build = stage.nextBuildOf(agent)
      if (!(await register(build))) return
      const { person, name, buildId } = build
      const outcome = await call(parts, 'deploy', {
        method: 'POST',
        path: `/deploy?wait=${DEPLOY_WAIT_S}`,
        token: await person.token(),
        body: { account: person.account, name, build_id: buildId },
        timeoutMs: DEPLOY_TIMEOUT_MS,
      })
      if (!('status' in outcome) || !isAcknowledged(outcome)) return
      const { revision } = outcome.body as { readonly revision: number }
      ledger.deployed(build, revision)
    } finally {
      agent.isBusy = false
    }
  }

  return [
    { name: 'register', share: 2, send: registerNew },
    { name: 'publish', share: 1, send: publish },
    ...(stage.deployed.length > 0 ? [{ name: 'deploy', share: 0.2, send: deploy }] : []),
  ]
}
