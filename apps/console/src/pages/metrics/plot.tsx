import type { Schemas } from '@slipway/client'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'

import { watchColors } from '../../ui/colors.ts'
import 'uplot/dist/uPlot.min.css'
import type { ChartKind } from './charts.ts'
import { PLOT_HEIGHT_PX, plotOptions, type PlotContent } from './plot-options.ts'

interface PlotProps extends PlotContent {
  readonly buckets: readonly Schemas['MetricsBucket'][]
  /** What it shows, for those who don't see it. */
  readonly description: string
}

/** Draws the numbers of buckets on a time axis, and again when the theme or the size changes. */
export function Plot(props: PlotProps) {
  const frame = useRef<HTMLDivElement>(null)
  const drawn = useRef<uPlot>(undefined)
  const shown = useRef(props)
  const { kind, buckets, deploys, start, end } = props
  useEffect(() => {
    shown.current = props
  })
  useEffect(() => {
    drawn.current?.setData(numbersOf(kind, buckets))
  }, [kind, buckets, deploys, start, end])
  useEffect(() => {
    const { current: element } = frame
    if (element === null) return
    const draw = () => {
      drawn.current?.destroy()
      const options = plotOptions(element.clientWidth, () => shown.current)
      drawn.current = new uPlot(
        options,
        numbersOf(shown.current.kind, shown.current.buckets),
        element,
      )
    }
    draw()
    const unwatch = watchColors(draw)
    const resizes = new ResizeObserver(() => {
      drawn.current?.setSize({ width: element.clientWidth, height: PLOT_HEIGHT_PX })
    })
    resizes.observe(element)
    return () => {
      unwatch()
      resizes.disconnect()
      drawn.current?.destroy()
      drawn.current = undefined
    }
  }, [])
  return <div className="plot" ref={frame} role="img" aria-label={props.description} />
}

/** The times of the buckets, and how high each line is drawn. */
function numbersOf(kind: ChartKind, buckets: PlotProps['buckets']): uPlot.AlignedData {
  const times = buckets.map(({ timestamp }) => Date.parse(timestamp) / 1000)
  const heights = kind.lines.map(({ value, height = value }) =>
    buckets.map((bucket) => height(bucket) ?? null),
  )
  return [times, ...heights]
}
