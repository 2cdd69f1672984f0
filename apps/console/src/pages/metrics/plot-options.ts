import type { Schemas } from '@slipway/client'
import uPlot from 'uplot'

import { colorOf } from '../../ui/colors.ts'
import type { ChartKind, Line } from './charts.ts'
import { drawDeploys } from './draw-deploys.ts'
import { tickLabels } from './tick-labels.ts'

/** What a plot shows. Times are in seconds since 1970, as those of uPlot. */
export interface PlotContent {
  readonly kind: ChartKind
  readonly start: number
  readonly end: number
  readonly deploys: readonly Schemas['Revision'][]
  /** Called with the range that the user has drawn with the mouse. */
  readonly onZoom: (start: number, end: number) => void
  /** Called with the index of the bucket below the mouse. */
  readonly onPoint: (index: number | undefined) => void
}

export const PLOT_HEIGHT_PX = 180
const FONT = '12px system-ui, sans-serif'
const AXIS_PX = 66
/** The ticks and one line of labels. */
const TIME_AXIS_PX = 30
/** A shorter way of the mouse is a click. */
const LEAST_ZOOM_PX = 8
/** Plots with the same key show their values at the same time. */
const SYNC = 'metrics'
/** Distances between the ticks of counts: 1, 2, 5, 10, 20 and so on. */
const WHOLE_STEPS = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat()

/**
 * How uPlot draws a plot, in the colors that the page has now. `content` is called whenever it
 * draws: the plot of a page stays while its content changes.
 */
export function plotOptions(width: number, content: () => PlotContent): uPlot.Options {
  const { kind } = content()
  const axis = {
    stroke: colorOf('--faint'),
    font: FONT,
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { stroke: colorOf('--line'), width: 1 },
  }
  return {
    width,
    height: PLOT_HEIGHT_PX,
    legend: { show: false },
    scales: {
      x: { time: true, range: () => [content().start, content().end] },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        size: TIME_AXIS_PX,
        values: (_plot, times, _axis, _space, distance) => tickLabels(times, distance),
      },
      {
        ...axis,
        size: AXIS_PX,
        values: (_plot, values) => values.map(kind.format),
        ...(kind.isCount && { incrs: WHOLE_STEPS }),
      },
    ],
    series: [{}, ...kind.lines.map(seriesOf)],
    cursor: {
      drag: { x: true, y: false, setScale: false },
      sync: {
        key: SYNC,
        filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
      },
      points: { size: 6 },
    },
    hooks: {
      draw: [(plot) => drawDeploys(plot, content().deploys)],
      setCursor: [({ cursor: { idx } }) => content().onPoint(idx ?? undefined)],
      setSelect: [
        (plot) => {
          const { left, width: length } = plot.select
          if (length < LEAST_ZOOM_PX) return
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          content().onZoom(plot.posToVal(left, 'x'), plot.posToVal(left + length, 'x'))
        },
      ],
    },
  }
}

function seriesOf({ label, color, shape }: Line): uPlot.Series {
  const stroke = colorOf(color)
  if (shape === 'line')
    return { label, stroke, width: 2, points: { show: true, size: 5, fill: stroke } }
  // A bar begins where its bucket does.
  const paths = uPlot.paths.bars?.({ size: [0.8, 40], align: 1 })
  return { label, stroke, fill: stroke, width: 0, points: { show: false }, ...(paths && { paths }) }
}
