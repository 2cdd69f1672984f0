// Not 404: the page of something that is gone would read it again, without end.
const DENIED: ReadonlySet<number> = new Set([401, 403])

interface Forgetting {
  setState(state: { data: undefined }): void
}

/** Forgets what a query had read when the user may no longer read it: the error is shown. */
export function forgetDenied(status: number, query: Forgetting): void {
  if (DENIED.has(status)) query.setState({ data: undefined })
}
