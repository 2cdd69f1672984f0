import type { Locator } from 'playwright-core'

/** The part of a canvas that is used, because the tests don't have the types of browsers. */
interface Canvas {
  readonly width: number
  readonly height: number
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
  }
}

/** Whether the canvas in a part of a page has a pixel of a color like `#0b5c7d`. */
export async function hasColor(part: Locator, color: string): Promise<boolean> {
  const rgb = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return await part.locator('canvas').evaluate((element, wanted) => {
    const canvas = element as unknown as Canvas
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    for (let at = 0; at < data.length; at += 4)
      if (wanted.every((value, index) => data[at + index] === value)) return true
    return false
  }, rgb)
}
