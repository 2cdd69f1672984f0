import { Link } from '@tanstack/react-router'

import { useTitle } from '../ui/use-title.ts'

/** The address names no page. */
export function NotFound() {
  useTitle('Not found')
  return (
    <>
      <h1>This page does not exist</h1>
      <p>
        <Link to="/">Go to your deployments</Link>
      </p>
    </>
  )
}
