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
  const navigate = useNavigate()
  // Those of the page that the palette was opened on.
  const [actions] = useState(pageActions)
  const here = useMatch({ from: '/accounts/$account/deployments/$name', shouldThrow: false })
  const { data: deployed } = useQuery({
    ...deploymentsQuery(account ?? ''),
    enabled: account !== undefined,
  })
  const wanted = useSettled(words.trim())
  const { data: catalog } = useQuery(catalogQuery(wanted === '' ? {} : { q: wanted }))

  const agent = here?.params
  const pagesHere = agent === undefined ? [] : PAGES
  const pages: PaletteItem[] = [
    ...pagesHere.map(([label, to]) => ({
      id: to,
      label: `${label} of ${agent?.name}`,
      run: () => void navigate({ to, params: agent ?? { account: '', name: '' } }),
    })),
    { id: 'catalog', label: 'Catalog', run: () => void navigate({ to: '/catalog' }) },
    ...accounts.map(({ name }) => ({
      id: `account ${name}`,
      label: `Deployments of ${name}`,
      run: () => void navigate({ to: '/accounts/$account/deployments', params: { account: name } }),
    })),
  ]
  return [
    {
      value: 'On this page',
      items: actions.map(({ label, run }) => ({ id: `action ${label}`, label, run })),
    },
    { value: 'Pages', items: pages },
    {
      value: 'Deployments',
      items: (deployed?.deployments ?? []).map(({ name, state }) => ({
        id: `deployment ${name}`,
        label: name,
        hint: state,
        run: () =>
          void navigate({
            to: '/accounts/$account/deployments/$name',
            params: { account: account ?? '', name },
          }),
      })),
    },
    {
      value: 'Agents of the catalog',
      items: (catalog?.agents ?? []).map(({ account: owner, name, versions }) => ({
        id: `agent ${owner}/${name}`,
        label: `${owner}/${name}`,
        hint: visible(versions[0]?.description ?? '').slice(0, MOST_OF_HINT),
        run: () =>
          void navigate({ to: '/catalog/$account/$name', params: { account: owner, name } }),
      })),
    },
  ]
}
