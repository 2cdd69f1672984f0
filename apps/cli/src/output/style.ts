import { styleText } from 'node:util'

/** A meaning that has a color on terminals. */
export type Style = 'good' | 'bad' | 'warning' | 'faint' | 'strong' | 'accent' | Hue

/** Colors without a meaning, which tell things apart. None is red. */
export const hues = ['hue1', 'hue2', 'hue3', 'hue4', 'hue5', 'hue6'] as const

export type Hue = (typeof hues)[number]

const formats = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  faint: 'dim',
  strong: 'bold',
  accent: 'cyan',
  hue1: 'cyan',
  hue2: 'magenta',
  hue3: 'green',
  hue4: 'blue',
  hue5: 'yellow',
  hue6: 'magentaBright',
} as const

/** Returns the text with the escape sequences of its style. */
export function paint(style: Style, text: string): string {
  return styleText(formats[style], text, { validateStream: false })
}
