import type { Agent, Version } from '@slipway/proto/slipway/catalog/v1/agent'

import { toTimeText } from '../time.ts'

/** An agent as the REST API shows it; `spec` is parsed from the JSON that the catalog keeps. */
export function toAgentJson(agent: Agent) {
  return {
    account: agent.account,
    name: agent.name,
    registry: agent.registry,
    versions: agent.versions.map(toVersionJson),
  }
}

/** A page of agents as the REST API shows it. */
export function toAgentListJson(page: { readonly agents: readonly Agent[]; readonly nextPageToken: string }) {
  return {
    agents: page.agents.map(toAgentJson),
    count: page.agents.length,
    ...(page.nextPageToken === '' ? {} : { next_cursor: page.nextPageToken }),
  }
}

function toVersionJson(version: Version) {
  return {
    build_id: version.buildId,
    ...(version.version === undefined ? {} : { version: version.version }),
    ...(version.specJson === undefined ? {} : { spec: JSON.parse(version.specJson) as Record<string, unknown> }),
    ...(version.readme === undefined ? {} : { readme: version.readme }),
    ...(version.description === undefined ? {} : { description: version.description, tags: version.tags }),
    ...(version.yanked ? { yanked: true } : {}),
    ...(version.publishTime ? { published_at: toTimeText(version.publishTime) } : {}),
    // Only members are told when a build was registered, and what is wrong with it.
    ...(version.registerTime
      ? {
          registered_at: toTimeText(version.registerTime),
          validation_warnings: version.validationWarnings.map(({ field, message }) => ({ field, message })),
        }
      : {}),
  }
}
