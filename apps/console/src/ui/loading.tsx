/** Shown while something is read for the first time. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="loading" role="status">
      Reading {what} …
    </p>
  )
}
