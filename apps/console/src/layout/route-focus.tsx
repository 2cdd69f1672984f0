import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * After a link to another page, moves the focus to its heading and announces its title, as a
 * browser does when it loads a page.
 */
export function RouteFocus() {
  const router = useRouter()
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    let isNew = false
    const onLoad = router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
      if (fromLocation !== undefined && pathChanged) isNew = true
    })
    const onRendered = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      // The first page leads on by itself: the user has not begun yet.
      if (fromLocation === undefined || fromLocation.pathname === '/' || !pathChanged) return
      focusHeading()
    })
    // A page sets its title when it is shown, and again when it knows more.
    let title = document.title
    const titles = new MutationObserver(() => {
      // The head also gets the styles and scripts of a page.
      if (document.title === title) return
      title = document.title
      if (isNew) setAnnounced(title)
      isNew = false
    })
    titles.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => {
      onLoad()
      onRendered()
      titles.disconnect()
    }
  }, [router])
  return (
    <p className="hidden" aria-live="polite" aria-atomic="true">
      {announced}
    </p>
  )
}

function focusHeading(): void {
  const content = document.getElementById('content')
  const heading = content?.querySelector<HTMLElement>('h1') ?? content
  if (heading === null) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
