/** A variable of the page's colors, like `--accent`. */
export type ColorName = `--${string}`

/** The color that a variable has in the theme of the page, in a form that a canvas knows. */
export function colorOf(name: ColorName): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Calls back when the colors of the page change with its theme. Returns what ends this. */
export function watchColors(onChange: () => void): () => void {
  const page = new MutationObserver(onChange)
  page.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', onChange)
  return () => {
    page.disconnect()
    system.removeEventListener('change', onChange)
  }
}
