import { formatSize, type BuiltImage, type PlatformContents } from '@slipway/agent-image'
import type { Static } from 'typebox'

import { lines, table, type Block, type Cell } from '../../output/blocks.ts'
import type { schema } from './result.ts'

type Contents = NonNullable<Static<typeof schema>['contents']>

/** Lists the files of images, those of the same project and platform once. */
export async function contentsOf(images: readonly BuiltImage[]): Promise<Contents> {
  const byProject = new Map<PlatformContents['list'], { platform: string; targets: string[] }>()
  for (const { contents, target } of images)
    for (const { platform, list } of contents) {
      const known = byProject.get(list)
      if (known === undefined) byProject.set(list, { platform, targets: [target] })
      else known.targets.push(target)
    }
  const found: Contents = []
  for (const [list, { platform, targets }] of byProject) {
    const { files, leftOut, folders } = await list()
    found.push({
      targets,
      platform,
      files: files.map(({ sizeBytes, ...file }) => ({ ...file, size_bytes: sizeBytes })),
      left_out: [...leftOut],
      folders: folders.map(({ path, sizeBytes }) => ({ path, size_bytes: sizeBytes })),
    })
  }
  return found
}

/** Tables of files, of what is left out, and of the sizes of folders. */
export function contentsTables({
  targets,
  platform,
  files,
  left_out,
  folders,
}: Contents[number]): Block[] {
  const on = platform === undefined ? '' : ` for ${platform}`
  return [
    lines(`files of ${targets.join(', ')} above the base${on}`),
    table({
      columns: [
        { title: 'FILE', shrinkTo: 20 },
        { title: 'SIZE', align: 'right' },
        { title: 'LAYER', fromColumns: 60 },
        { title: 'REASON', shrinkTo: 10, fromColumns: 80 },
      ],
      rows: files.map(({ path, size_bytes, layer, reason }) => [
        path,
        sizeCell(size_bytes),
        layer,
        reason,
      ]),
      empty: 'the images have no files above the base',
    }),
    lines(`left out${on}`),
    table({
      columns: [{ title: 'PATH', shrinkTo: 20 }, { title: 'RULE' }, { title: 'REASON' }],
      rows: left_out.map(({ path, rule, reason }) => [path, String(rule), reason]),
      empty: 'no rule leaves a file out',
    }),
    lines(`sizes of folders${on}`),
    table({
      columns: [
        { title: 'FOLDER', shrinkTo: 20 },
        { title: 'SIZE', align: 'right' },
      ],
      rows: folders.map(({ path, size_bytes }) => [path, sizeCell(size_bytes)]),
      empty: 'the images have no files above the base',
    }),
  ]
}

function sizeCell(bytes: number): Cell {
  return { text: formatSize(bytes), plain: String(bytes) }
}
