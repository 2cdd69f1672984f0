import type { Schemas } from '@slipway/client'
import type uPlot from 'uplot'

import { colorOf } from '../../ui/colors.ts'

const FONT_PX = 11
const DASH_PX = 3

/** Draws a dashed line with its number where each revision was deployed. */
export function drawDeploys(plot: uPlot, deploys: readonly Schemas['Revision'][]): void {
  const { ctx, bbox } = plot
  const ratio = window.devicePixelRatio
  ctx.save()
  ctx.strokeStyle = colorOf('--faint')
  ctx.fillStyle = colorOf('--text')
  ctx.lineWidth = ratio
  ctx.setLineDash([DASH_PX * ratio, DASH_PX * ratio])
  ctx.font = `${FONT_PX * ratio}px system-ui, sans-serif`
  ctx.textBaseline = 'top'
  // Newest first: of deploys that are close to each other, the newest one has its number.
  let labelled = Infinity
  for (const { revision, created_at: time } of deploys) {
    const x = Math.round(plot.valToPos(Date.parse(time) / 1000, 'x', true))
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    const words = `r${revision}`
    const width = ctx.measureText(words).width + 2 * DASH_PX * ratio
    if (labelled - x < width) continue
    labelled = x
    const isNearEnd = x + width > bbox.left + bbox.width
    ctx.textAlign = isNearEnd ? 'right' : 'left'
    ctx.fillText(words, x + (isNearEnd ? -DASH_PX : DASH_PX) * ratio, bbox.top)
  }
  ctx.restore()
}
