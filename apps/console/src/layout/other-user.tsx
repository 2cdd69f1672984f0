import { useState } from 'react'

const KEY = 'slipway-other-user'

/** Read once: before it is loaded again, the page already knows the other user, too. */
const isMarked = takeMark()

/** Loads the page for a user who has signed in in another tab. The page then says so. */
export function reloadForOtherUser(): void {
  sessionStorage.setItem(KEY, 'yes')
  window.location.reload()
}

/** Says that the page shows another user than before. */
export function OtherUser({ name }: { readonly name: string }) {
  const [isShown, setShown] = useState(isMarked)
  if (!isShown) return null
  return (
    <p className="banner" role="alert">
      <span>
        <bdi>{name}</bdi> has signed in in another tab. This page now shows what they may see.
      </span>
      <button type="button" className="button small" onClick={() => setShown(false)}>
        Close
      </button>
    </p>
  )
}

function takeMark(): boolean {
  const mark = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return mark !== null
}
