import type { Schemas } from '@slipway/client'
import { useCallback, useEffect, useState } from 'react'

import type { PaletteDialog } from './palette-dialog.tsx'

interface PaletteProps {
  readonly account: string | undefined
  readonly accounts: readonly Schemas['ProfileAccount'][]
}

/** Finds pages, deployments, agents and actions by words. Ctrl-K or Cmd-K opens it too. */
export function Palette({ account, accounts }: PaletteProps) {
  const [isOpen, setOpen] = useState(false)
  const [dialog, setDialog] = useState<{ readonly Part: typeof PaletteDialog }>()
  const open = useCallback(() => {
    // Few need it on the first page. The next try reads it again if the server is away.
    import('./palette-dialog.tsx').then(
      ({ PaletteDialog: Part }) => {
        setDialog({ Part })
        setOpen(true)
      },
      () => setOpen(false),
    )
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
      if (!isShortcut || event.shiftKey || event.altKey) return
      event.preventDefault()
      // A question is answered first.
      if (document.querySelector('[role="alertdialog"]') === null) open()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [open])
  return (
    <>
      <button
        type="button"
        className="menu-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
      >
        Go to … <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {isOpen && dialog !== undefined && (
        <dialog.Part account={account} accounts={accounts} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
