import type { Static } from 'typebox'

import { fields, hint, lines, table, type Block } from '../../output/blocks.ts'
import { ago } from '../../output/times.ts'
import { readmeSummary } from './readme-summary.ts'
import type { schema } from './result.ts'

type AgentsShow = Static<typeof schema>

const SHOWN_BUILDS = 20

/** What a person sees of an agent: on a terminal, only its newest builds. */
export function viewAgent(agent: AgentsShow, isTerminal: boolean): Block[] {
  const { account, name, registry, builds, credentials = [], readme } = agent
  const shown = isTerminal ? builds.slice(0, SHOWN_BUILDS) : builds
  const hasCommits = shown.some(({ commit }) => commit !== undefined)
  const summary = readme === undefined ? [] : readmeSummary(readme)
  return [
    fields({ agent: `${account}/${name}`, registry }),
    ...(summary.length > 0 && isTerminal ? [lines(...summary)] : []),
    table({
      columns: [
        { title: 'VERSION', shrinkTo: 8 },
        { title: 'BUILD', shrinkTo: 8 },
        { title: 'STATE' },
        { title: 'SINCE' },
        { title: 'WARNINGS', align: 'right', fromColumns: 50 },
        ...(hasCommits ? [{ title: 'COMMIT', shrinkTo: 9, fromColumns: 70 }] : []),
      ],
      rows: shown.map((build) => [
        build.version ?? '',
        build.build_id,
        stateOf(build),
        ago(build.published_at ?? build.registered_at ?? ''),
        build.warning_count === 0 ? '' : { text: `${build.warning_count}`, style: 'warning' },
        ...(hasCommits ? [commitOf(build)] : []),
      ]),
      empty: 'no builds',
    }),
    ...(credentials.length > 0 ? [needsTable(credentials)] : []),
    ...(builds.length > shown.length
      ? [hint(`${builds.length - shown.length} older builds are not shown: use --json`)]
      : []),
    hint(`next: slipway deploy ${account}/${name}`),
  ]
}

/** For example `3f78685+ main: Answer shorter`; the plus sign is for changes after the commit. */
function commitOf({ commit }: AgentsShow['builds'][number]): string {
  if (commit === undefined) return ''
  const { id, branch, message, has_changes: hasChanges } = commit
  const name = `${id.slice(0, 7)}${hasChanges ? '+' : ''}`
  const text = [branch, message].filter((part) => part !== undefined).join(': ')
  return text === '' ? name : `${name} ${text}`
}

function stateOf({ version, yanked }: AgentsShow['builds'][number]) {
  if (version === undefined) return { text: 'build', style: 'faint' } as const
  return yanked
    ? ({ text: 'yanked', style: 'warning' } as const)
    : ({ text: 'published', style: 'good' } as const)
}

function needsTable(credentials: NonNullable<AgentsShow['credentials']>): Block {
  return table({
    columns: [
      { title: 'NEEDS', shrinkTo: 16 },
      { title: 'REQUIRED' },
      { title: 'FOR' },
      { title: 'DESCRIPTION', shrinkTo: 10 },
    ],
    rows: credentials.map(({ key, optional, category, provider, description }) => [
      key,
      optional ? { text: 'no', style: 'faint' } : 'yes',
      provider === '' ? category : `${category} ${provider}`,
      description,
    ]),
    empty: 'it needs no credentials',
  })
}
