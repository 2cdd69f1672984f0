import { Fragment } from 'react'

import { visible } from './visible.ts'

const BETWEEN_BACKTICKS = /(?<!`)`([^`\n]+)`(?!`)/

/** A sentence of the server: what is between backticks is code, and all else is plain text. */
export function WithCode({ text }: { readonly text: string }) {
  // Every second part was between backticks.
  return visible(text)
    .split(BETWEEN_BACKTICKS)
    .map((part, index) => (
      // oxlint-disable-next-line react/no-array-index-key
      <Fragment key={index}>{index % 2 === 1 ? <code>{part}</code> : part}</Fragment>
    ))
}
