import type { Agent, Version } from '@slipway/proto/slipway/catalog/v1/agent'

import { toTimeText } from '../../http/time.ts'

/**
 * An agent as the REST API shows it, as JSON text: a spec is put in as the catalog keeps it, since
 * parsing it only to write it again would cost more than all the rest.
 */
export function agentJson(agent: Agent): string {
  return agentText(agent, false)
}

/** A page of agents as the REST API shows it, as JSON text. */
export function agentListJson(page: {
  readonly agents: readonly Agent[]
  readonly nextPageToken: string
}): string {
  const cursor =
    page.nextPageToken === '' ? '' : `,"next_cursor":${JSON.stringify(page.nextPageToken)}`
  return `{"agents":[${page.agents.map((agent) => agentText(agent, true)).join()}],"count":${page.agents.length}${cursor}}`
}

function agentText(
  { account, name, registry, versions, hasMoreVersions }: Agent,
  isListed: boolean,
): string {
  const head = JSON.stringify({ account, name, registry })
  const texts = versions.map((version) => versionText(version, isListed)).join()
  return `${head.slice(0, -1)},"versions":[${texts}]${hasMoreVersions ? ',"has_more_versions":true' : ''}}`
}

function versionText(version: Version, isListed: boolean): string {
  const head = JSON.stringify({
    build_id: version.buildId,
    ...(version.version === undefined ? {} : { version: version.version }),
  })
  const rest = JSON.stringify({
    ...(version.readme === undefined ? {} : { readme: version.readme }),
    ...(version.description === undefined ? {} : { description: version.description }),
    ...(isListed ? { tags: version.tags } : {}),
    ...(version.yanked ? { yanked: true } : {}),
    ...(version.publishTime ? { published_at: toTimeText(version.publishTime) } : {}),
    // Only members are told when a build was registered, and what is wrong with it.
    ...(version.registerTime ? { registered_at: toTimeText(version.registerTime) } : {}),
    ...(version.registerTime && (isListed || hasContent(version))
      ? { validation_warnings: warningsOf(version) }
      : {}),
  })
  const spec = version.specJson === undefined ? '' : `,"spec":${version.specJson}`
  return `${head.slice(0, -1)}${spec}${rest === '{}' ? '}' : `,${rest.slice(1)}`}`
}

/**
 * In a detail, builds beyond its bound come without spec, readme and warnings, of which only the
 * first two can tell.
 */
function hasContent({ specJson }: Version): boolean {
  return specJson !== undefined
}

function warningsOf({ validationWarnings }: Version) {
  return validationWarnings.map(({ field, message }) => ({ field, message }))
}
