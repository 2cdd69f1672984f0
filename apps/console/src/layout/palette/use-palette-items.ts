import type { Schemas } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { useMatch, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { catalogQuery, deploymentsQuery } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { pageActions } from '../../ui/page-actions.ts'
import { useSettled } from '../../ui/use-settled.ts'
import type { PaletteGroup, PaletteItem } from './matching.ts'

/** The pages of a deployment. */
const PAGES = [
  ['Overview', '/accounts/$account/deployments/$name'],
  ['Logs', '/accounts/$account/deployments/$name/logs'],
  ['Traces', '/accounts/$account/deployments/$name/traces'],
  ['Sessions', '/accounts/$account/deployments/$name/sessions'],
  ['Metrics', '/accounts/$account/deployments/$name/metrics'],
  ['Compare revisions', '/accounts/$account/deployments/$name/compare'],
] as const

const MOST_OF_HINT = 120

/** Everything that the palette leads to: the agents of the catalog are those with these words. */
export function usePaletteItems(
  words: string,
  account: string | undefined,
  accounts: readonly Schemas['ProfileAccount'][],
): readonly PaletteGroup[] {
  // Those of the page that the palette was opened on.
  const [actions] = useState(pageActions)
  const pages = usePages(accounts)
  const deployments = useDeployments(account)
  const agents = useAgents(words, account)
  return [
    {
      value: 'On this page',
      items: actions.map(({ label, run }) => ({ id: `action ${label}`, label, run })),
    },
    { value: 'Pages', items: pages },
    { value: 'Deployments', items: deployments },
    ...agents,
  ]
}

/** The pages of the deployment that is shown, and of all accounts. */
function usePages(accounts: readonly Schemas['ProfileAccount'][]): readonly PaletteItem[] {
  const navigate = useNavigate()
  const shown = useMatch({ from: '/accounts/$account/deployments/$name', shouldThrow: false })
  const agent = shown?.params
  const pagesHere = agent === undefined ? [] : PAGES
  return [
    ...pagesHere.map(([label, to]) => ({
      id: to,
      label: `${label} of ${agent?.name}`,
      run: () => void navigate({ to, params: agent ?? { account: '', name: '' } }),
    })),
    { id: 'catalog', label: 'Catalog', run: () => void navigate({ to: '/catalog' }) },
    ...accounts.flatMap(({ name }) => [
      {
        id: `deployments ${name}`,
        label: `Deployments of ${name}`,
        run: () =>
          void navigate({ to: '/accounts/$account/deployments', params: { account: name } }),
      },
      {
        id: `account ${name}`,
        label: `Account ${name}`,
        hint: 'members, machine tokens, usage',
        run: () => void navigate({ to: '/accounts/$account', params: { account: name } }),
      },
    ]),
  ]
}

function useDeployments(account: string | undefined): readonly PaletteItem[] {
  const navigate = useNavigate()
  const { data } = useQuery({
    ...deploymentsQuery(account ?? ''),
    enabled: account !== undefined,
  })
  return (data?.deployments ?? []).map(({ name, state }) => ({
    id: `deployment ${name}`,
    label: name,
    hint: state,
    run: () =>
      void navigate({
        to: '/accounts/$account/deployments/$name',
        params: { account: account ?? '', name },
      }),
  }))
}

/** The agents of the catalog with these words, and the form that deploys each. */
function useAgents(words: string, account: string | undefined): readonly PaletteGroup[] {
  const navigate = useNavigate()
  const wanted = useSettled(wordsOfAgent(words))
  const { data } = useQuery(catalogQuery(wanted === '' ? {} : { q: wanted }))
  const agents = (data?.agents ?? []).map(({ account: source, name, versions }) => ({
    source,
    name,
    hint: visible(versions[0]?.description ?? '').slice(0, MOST_OF_HINT),
  }))
  const found = agents.map(({ source, name, hint }) => ({
    id: `agent ${source}/${name}`,
    label: `${source}/${name}`,
    hint,
    run: () => void navigate({ to: '/catalog/$account/$name', params: { account: source, name } }),
  }))
  const deploys = agents.map(({ source, name, hint }) => ({
    id: `deploy ${source}/${name}`,
    label: `Deploy ${source}/${name} …`,
    hint,
    run: () =>
      void navigate({
        to: '/accounts/$account/deploy/$source/$name',
        params: { account: account ?? '', source, name },
      }),
  }))
  return [
    { value: 'Agents of the catalog', items: found },
    { value: 'Deploy', items: account === undefined ? [] : deploys },
  ]
}

/** What to search the catalog for: it finds agents by their names and descriptions only. */
function wordsOfAgent(words: string): string {
  return words
    .replace(/^\s*deploy\b/i, '')
    .replaceAll(/\S*\//g, '')
    .trim()
}
