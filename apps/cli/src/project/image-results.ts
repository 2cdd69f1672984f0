import { formatSize, type BuiltImage } from '@slipway/agent-image'

import { table, type Table } from '../output/blocks.ts'
import type { ImageResult } from './image-schema.ts'

/** The images of a build, as results have them. */
export function imageResults(images: readonly BuiltImage[]): ImageResult[] {
  return images.map(({ target, reference, digest, platforms, sizeBytes, builtFrom, base }) => ({
    target,
    reference,
    digest,
    platforms: [...platforms],
    size_bytes: sizeBytes,
    built_from: builtFrom,
    ...(base !== undefined && { base }),
  }))
}

/** A table of images. */
export function imageTable(images: readonly ImageResult[]): Table {
  return table({
    columns: [
      { title: 'TARGET', shrinkTo: 6 },
      { title: 'IMAGE', shrinkTo: 12 },
      { title: 'SIZE', align: 'right' },
      { title: 'FROM', fromColumns: 60 },
      { title: 'DIGEST', shrinkTo: 14, fromColumns: 80 },
      { title: 'BASE', shrinkTo: 12, fromColumns: 120 },
      { title: 'PLATFORMS', fromColumns: 120 },
    ],
    rows: images.map(
      ({ target, reference, digest, platforms = [], size_bytes, built_from, base = '' }) => [
        target,
        reference,
        { text: formatSize(size_bytes), plain: String(size_bytes) },
        built_from,
        digest,
        base.replace(/@.*/, ''),
        platforms.join(', '),
      ],
    ),
    empty: 'the spec builds no images',
  })
}
