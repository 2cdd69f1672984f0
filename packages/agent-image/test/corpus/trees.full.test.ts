import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PACKAGES_BASE } from '../../src/index.ts'
import { AgentImageBuilder } from '../../src/parts.ts'
import { unpackImage } from '../support/run-image.ts'
import { cleanInstall } from './clean-root.ts'
import { CORPUS_PORT, placeOf } from './corpus-project.ts'
import { corpusOf } from './index.ts'
import { preparedProject } from './prepare.ts'
import { differences, installedTree } from './tree.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-corpus-'))
})
afterAll(() => rm(directory, { recursive: true }))

it.each(corpusOf('full'))('$name has what $manager installs', async (project) => {
  const { root, folder } = await preparedProject(project)
  const before = await readdir(root, { recursive: true })
  const command = project.command?.split(' ')
  const builder = await AgentImageBuilder.open(folder, { base: PACKAGES_BASE })
  const { image } = builder.assemble('agent', '1000', { command, port: CORPUS_PORT })
  expect(await readdir(root, { recursive: true })).toEqual(before)
  const clean = await cleanInstall(project, root, directory)
  const theirs = await installedTree(clean, project)
  const unpacked = await unpackImage(image, directory)
  const ours = await installedTree(join(unpacked.root, placeOf(project)), project)
  for (const each of [clean, unpacked.root]) await rm(each, { recursive: true })
  expect(differences(ours, theirs)).toEqual([])
  // A manager that has installed nothing would be equal to an image without packages.
  expect(ours.size > 0).toBe(project.installsNothing !== true)
})
