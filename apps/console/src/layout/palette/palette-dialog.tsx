import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import type { Schemas } from '@slipway/client'
import { useRef, useState } from 'react'

import { matching, type PaletteGroup, type PaletteItem } from './matching.ts'
import { usePaletteItems } from './use-palette-items.ts'

interface PaletteDialogProps {
  readonly account: string | undefined
  readonly accounts: readonly Schemas['ProfileAccount'][]
  readonly onClose: () => void
}

/** A field for words, and what matches them. Enter opens or does the marked one. */
export function PaletteDialog({ account, accounts, onClose }: PaletteDialogProps) {
  const [words, setWords] = useState('')
  const groups = matching(usePaletteItems(words, account, accounts), words)
  const hasChosen = useRef(false)
  const choose = (item: PaletteItem) => {
    hasChosen.current = true
    onClose()
    item.run()
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup
          className="dialog palette"
          aria-label="Go to a page, or do something"
          // What was chosen has the focus: a page or a question.
          finalFocus={() => !hasChosen.current}
        >
          <Autocomplete.Root
            open
            inline
            mode="none"
            items={groups}
            value={words}
            onValueChange={setWords}
            itemToStringValue={({ label }: PaletteItem) => label}
            autoHighlight="always"
            keepHighlight
          >
            <Autocomplete.Input
              className="field"
              aria-label="Page, deployment, agent or action"
              placeholder="Page, deployment, agent or action"
            />
            <Autocomplete.Empty className="faint">Nothing matches.</Autocomplete.Empty>
            <Autocomplete.List className="palette-list" aria-label="What matches">
              {(group: PaletteGroup) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="palette-title">
                    {group.value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: PaletteItem) => (
                      <Autocomplete.Item
                        key={item.id}
                        value={item}
                        className="palette-item"
                        onClick={() => choose(item)}
                      >
                        <bdi>{item.label}</bdi> <span className="faint">{item.hint}</span>
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          <Dialog.Close className="button small">Close</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
