import { ApiError, ConnectionError } from '@slipway/client'

import { WithCode } from '../text/with-code.tsx'

interface ProblemProps {
  readonly error: unknown
  /** What failed, as a sentence without its full stop. */
  readonly what: string
  readonly retry?: () => void
}

/** What failed, why, and how to find it in the logs of the server. */
export function Problem({ error, what, retry }: ProblemProps) {
  return (
    <div className="problem" role="alert">
      <h2>{what}</h2>
      <p>
        <bdi>
          <WithCode text={reasonOf(error)} />
        </bdi>
      </p>
      {error instanceof ApiError && error.problems.length > 0 && (
        <ul>
          {error.problems.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {field !== '' && <code>{field}</code>} <WithCode text={message} />
            </li>
          ))}
        </ul>
      )}
      {error instanceof ApiError && error.requestId !== undefined && (
        <p className="faint">
          Request id: <code>{error.requestId}</code>
        </p>
      )}
      {retry !== undefined && (
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Why something failed, in words. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.detail
  if (error instanceof ConnectionError) return 'Slipway does not answer. Check your network.'
  return error instanceof Error ? error.message : String(error)
}
