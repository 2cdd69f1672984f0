/** `system` follows the setting of the operating system. */
export type Theme = 'system' | 'light' | 'dark'

export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const KEY = 'slipway-theme'

/** The theme that the user chose in this browser. */
export function savedTheme(): Theme {
  const saved = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === saved) ?? 'system'
}

/** Shows the page in a theme. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Shows the page in a theme, also the next time. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  applyTheme(theme)
}
