import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'

import { reasonOf } from './problem.tsx'

interface ConfirmProps {
  /** The question. */
  readonly title: string
  /** What will happen. */
  readonly children: ReactNode
  /** The word on the button that does it. */
  readonly action: string
  readonly isDangerous?: boolean
  readonly isRunning: boolean
  readonly error: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something is changed. Stays open with the reason if the change fails. */
export function Confirm(props: ConfirmProps) {
  const { title, children, action, isDangerous = false, isRunning, error } = props
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && props.onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
          {error !== null && (
            <p className="bad" role="alert">
              {reasonOf(error)}
            </p>
          )}
          <div className="dialog-buttons">
            <AlertDialog.Close className="button">Cancel</AlertDialog.Close>
            <button
              type="button"
              className={`button ${isDangerous ? 'danger' : 'primary'}`}
              disabled={isRunning}
              onClick={props.onConfirm}
            >
              {isRunning ? 'Working …' : action}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
