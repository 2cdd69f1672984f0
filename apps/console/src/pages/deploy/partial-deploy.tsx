import type { Schemas } from '@slipway/client'
import { Link } from '@tanstack/react-router'

import type { AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { WithCode } from '../../text/with-code.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'

interface PartialDeployProps {
  readonly agent: AgentPath
  readonly result: Schemas['DeployResult']
}

/** What the cluster did with each object of a deploy that it accepted in part. */
export function PartialDeploy({ agent, result }: PartialDeployProps) {
  const { revision, resources, errors, warnings = [] } = result
  // Those that failed first.
  const ordered = [...resources].sort((a, b) => rank(a) - rank(b))
  return (
    <section aria-labelledby="result">
      <div className="problem" role="alert">
        <h2 id="result">The cluster has not accepted everything</h2>
        <ul>
          {errors.map((error) => (
            <li key={error}>
              <WithCode text={error} />
            </li>
          ))}
        </ul>
        <p>
          All other objects of revision {revision} are applied. Once the cause is fixed, deploy
          again.
        </p>
        <Link
          className="button"
          to="/accounts/$account/deployments/$name"
          params={{ account: agent.account, name: agent.name }}
        >
          Go to the deployment
        </Link>
      </div>
      {warnings.map((warning) => (
        <p key={warning} className="warning">
          <WithCode text={warning} />
        </p>
      ))}
      <TableFrame label="Table of objects" isStacked>
        <table>
          <thead>
            <tr>
              <th scope="col">Result</th>
              <th scope="col">Object</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {ordered.map(({ kind, name, status, message = '' }) => (
              <tr key={`${kind} ${name}`}>
                <td className={status === 'failed' ? 'bad' : 'good'}>{status}</td>
                <th scope="row">{visible(`${kind}/${name}`)}</th>
                <td className="words">
                  <WithCode text={message} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  )
}

function rank({ status }: Schemas['ResourceResult']): number {
  return status === 'failed' ? 0 : 1
}
