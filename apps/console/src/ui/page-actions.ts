import { useEffect } from 'react'

/** Something that can be done on a page, for the command palette. */
export interface PageAction {
  readonly label: string
  readonly run: () => void
}

const shown = new Set<readonly PageAction[]>()

/** Offers actions in the command palette while a part of a page is shown. */
export function usePageActions(actions: readonly PageAction[]): void {
  useEffect(() => {
    shown.add(actions)
    return () => void shown.delete(actions)
  }, [actions])
}

/** The actions of the page that is shown. */
export function pageActions(): readonly PageAction[] {
  return [...shown].flat()
}
