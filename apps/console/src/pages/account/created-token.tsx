import type { Schemas } from '@slipway/client'
import { useEffect, useRef, useState } from 'react'

import { visible } from '../../text/visible.ts'

interface CreatedTokenProps {
  readonly token: Schemas['CreatedMachineToken']
  readonly onClose: () => void
}

/** The secret of a new token. It is shown once. */
export function CreatedToken({ token, onClose }: CreatedTokenProps) {
  const field = useRef<HTMLInputElement>(null)
  const [state, setState] = useState('')
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    // The browser may keep a page that is left, as it is now, to show it again.
    const forget = () => {
      if (field.current !== null) field.current.value = ''
      onClose()
    }
    window.addEventListener('pagehide', forget)
    return () => window.removeEventListener('pagehide', forget)
  }, [onClose])
  const copy = async () => {
    field.current?.select()
    try {
      await navigator.clipboard.writeText(token.token)
      setState('Copied.')
    } catch {
      // Browsers refuse it, for example without TLS.
      setState('The browser does not allow this: copy the selected text.')
    }
  }
  return (
    <section className="status good" aria-label="New machine token">
      <p className="sentence">Store the token {visible(token.name)} now: it is not shown again.</p>
      <div className="form-row">
        <input
          ref={field}
          className="field secret"
          readOnly
          aria-label="Secret of the new token"
          value={token.token}
        />
        <button type="button" className="button primary" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" className="button" onClick={onClose}>
          Done
        </button>
        <span role="status">{state}</span>
      </div>
    </section>
  )
}
