import type { ErrorComponentProps } from '@tanstack/react-router'

import { Problem } from '../ui/problem.tsx'

/** A page that could not be shown because of an error in it. */
export function CrashedPage({ error, reset }: ErrorComponentProps) {
  return <Problem error={error} what="This page could not be shown" retry={reset} />
}
