import type { Schemas } from '@slipway/client'
import { Link } from '@tanstack/react-router'

import type { AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { WithCode } from '../../text/with-code.tsx'

interface FailuresProps {
  readonly deployment: Schemas['Deployment']
  readonly agent: AgentPath
  /** The revision to go back to; undefined if none was ready. */
  readonly good: Schemas['Revision'] | undefined
  readonly onRollBack: (target: Schemas['Revision']) => void
}

/** Why components fail, what is wrong with others, the end of the log, and what to do. */
export function Failures({ deployment, agent, good, onRollBack }: FailuresProps) {
  const { failures = [], warnings = [] } = deployment
  if (failures.length + warnings.length === 0) return null
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">{deployment.state === 'ready' ? 'Notices' : 'Why'}</h2>
      {failures.map((failure) => (
        <Failure
          key={`${failure.component} ${failure.pod} ${failure.reason}`}
          failure={failure}
          agent={agent}
        />
      ))}
      {warnings.map((warning) => (
        <p key={warning} className="failure warning">
          <WithCode text={warning} />
        </p>
      ))}
      {failures.length > 0 && good !== undefined && (
        <p className="form-buttons">
          <button type="button" className="button" onClick={() => onRollBack(good)}>
            Roll back (revision {good.revision}) …
          </button>
          <span className="faint">
            Revision {good.revision} was ready. It has the build{' '}
            <code>{good.version ?? good.build_id}</code>.
          </span>
        </p>
      )}
    </section>
  )
}

interface FailureProps {
  readonly failure: Schemas['ComponentFailure']
  readonly agent: AgentPath
}

function Failure({ failure, agent }: FailureProps) {
  const { component, pod, container, reason, message, event, log_lines: log = [], next } = failure
  const hasExited = failure.exit_code !== undefined
  return (
    <article className="failure bad">
      <h3>
        <bdi>{component}</bdi>: <WithCode text={message} /> <code>{reason}</code>
      </h3>
      {event !== undefined && <p>{visible(event.message)}</p>}
      {log.length > 0 && <pre aria-label="End of the log">{visible(log.join('\n'))}</pre>}
      {next.length > 0 && (
        <ul className="next">
          {next.map((step) => (
            <li key={step}>
              <WithCode text={step} />
            </li>
          ))}
        </ul>
      )}
      {pod !== undefined && (
        <p>
          <Link
            to="/accounts/$account/deployments/$name/logs"
            params={agent}
            search={{
              pod,
              ...(container === undefined ? {} : { container }),
              ...(hasExited && (failure.restarts ?? 0) > 0 ? { previous: true as const } : {}),
            }}
          >
            Log of <bdi>{pod}</bdi>
          </Link>
        </p>
      )}
    </article>
  )
}
