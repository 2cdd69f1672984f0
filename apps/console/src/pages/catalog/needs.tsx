import { useQuery } from '@tanstack/react-query'

import { agentConfigQuery, isNotFound, type AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { Problem } from '../../ui/problem.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'

/** The credentials that an agent needs. */
export function Needs({ agent }: { readonly agent: AgentPath }) {
  const { data, error } = useQuery(agentConfigQuery(agent))
  // It has no build that can be deployed.
  if (isNotFound(error)) return null
  if (error !== null) return <Problem error={error} what="Its configuration can't be read" />
  if (data === undefined || data.credentials.length === 0) return null
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">Needs</h2>
      <TableFrame label="Table of credentials">
        <table>
          <thead>
            <tr>
              <th scope="col">Credential</th>
              <th scope="col">Required</th>
              <th scope="col">For</th>
              <th scope="col">Description</th>
            </tr>
          </thead>
          <tbody>
            {data.credentials.map(({ key, optional, category, provider, description }) => (
              <tr key={key}>
                <th scope="row">
                  <code>{key}</code>
                </th>
                <td>{optional ? 'no' : 'yes'}</td>
                <td>{visible(provider === '' ? category : `${category} ${provider}`)}</td>
                <td className="words">{visible(description)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  )
}
