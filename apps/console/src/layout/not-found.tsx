import { Link } from '@tanstack/react-router'

import { Empty } from '../ui/empty.tsx'
import { useTitle } from '../ui/use-title.ts'

/** The address names no page. */
export function NotFound() {
  useTitle('Not found')
  return (
    <Empty title="This page does not exist">
      <Link to="/">Go to your deployments</Link>
    </Empty>
  )
}
