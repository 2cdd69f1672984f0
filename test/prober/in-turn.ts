/** Returns the items one after the other, again and again. */
export function inTurn<Item>(items: readonly Item[]): () => Item {
  let count = 0
  return () => {
    const item = items[count % items.length]
    if (item === undefined) throw new Error('there are no items')
    count += 1
    return item
  }
}
