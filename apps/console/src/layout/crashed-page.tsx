import type { ErrorComponentProps } from '@tanstack/react-router'

import { PageNotLoaded } from '../ui/page-not-loaded.ts'
import { Problem } from '../ui/problem.tsx'

/** A page that could not be shown because of an error in it, or could not be read. */
export function CrashedPage({ error, reset }: ErrorComponentProps) {
  const retry = error instanceof PageNotLoaded ? () => void loadAgain() : reset
  return <Problem error={error} what="This page could not be shown" retry={retry} />
}

/** Loads the whole page again, which only has a use if the server responds. */
async function loadAgain(): Promise<void> {
  const isThere = await fetch('/auth/session').then(
    () => true,
    () => false,
  )
  if (isThere) window.location.reload()
}
