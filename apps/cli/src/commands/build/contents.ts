import { formatSize, type BuiltImage } from '@slipway/agent-image'
import type { Static } from 'typebox'

import { lines, table, type Block, type Cell } from '../../output/blocks.ts'
import type { schema } from './result.ts'

type Contents = NonNullable<Static<typeof schema>['contents']>

/** Lists the files of images, those of the same project once. */
export async function contentsOf(images: readonly BuiltImage[]): Promise<Contents> {
  const byProject = new Map<BuiltImage['contents'], string[]>()
  for (const { contents, target } of images) {
    const targets = byProject.get(contents)
    if (targets === undefined) byProject.set(contents, [target])
    else targets.push(target)
  }
  const found: Contents = []
  for (const [list, targets] of byProject) {
    if (list === undefined) continue
    const { files, leftOut, folders } = await list()
    found.push({
      targets,
      files: files.map(({ sizeBytes, ...file }) => ({ ...file, size_bytes: sizeBytes })),
      left_out: [...leftOut],
      folders: folders.map(({ path, sizeBytes }) => ({ path, size_bytes: sizeBytes })),
    })
  }
  return found
}

/** Tables of files, of what is left out, and of the sizes of folders. */
export function contentsTables({ targets, files, left_out, folders }: Contents[number]): Block[] {
  return [
    lines(`files of ${targets.join(', ')} above the base`),
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
    lines('left out'),
    table({
      columns: [{ title: 'PATH', shrinkTo: 20 }, { title: 'RULE' }, { title: 'REASON' }],
      rows: left_out.map(({ path, rule, reason }) => [path, String(rule), reason]),
      empty: 'no rule leaves a file out',
    }),
    lines('sizes of folders'),
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
