import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AgentImageBuilder } from '../src/parts.ts'
import { scratch } from './support/images.ts'
import { unpackImage } from './support/run-image.ts'

// Scripts of packages and start commands expect the programs that the public slim images have.

const programs = {
  node: {
    file: 'agent.js',
    text: '#!/usr/bin/env -S node --no-warnings\nconsole.log("started", process.argv[2])\n',
  },
  python: {
    file: 'agent.py',
    text: '#!/usr/bin/env python3\nimport sys\nprint("started", sys.argv[1])\n',
  },
}

test.each(['node', 'python'] as const)('has a shell and env for %s', async (language) => {
  await using place = await scratch()
  const { file, text } = programs[language]
  await writeFile(join(place.folder, file), text, { mode: 0o755 })
  if (language === 'node')
    await writeFile(join(place.folder, 'package.json'), `{ "bin": "${file}" }`)
  const { image } = (await AgentImageBuilder.open(place.folder, { base: 'packages' })).assemble(
    'agent',
  )
  await using roots = await scratch()
  const { root, environment } = await unpackImage(image, roots.folder)
  const run = (...command: readonly string[]) => {
    const options = { env: environment, encoding: 'utf8' } as const
    const { stdout, stderr } = spawnSync('/usr/sbin/chroot', [root, ...command], options)
    return stdout + stderr
  }
  expect(run('/bin/sh', '-c', `cd /app && exec ./${file} "$(echo here)"`)).toBe('started here\n')
  expect(run('/usr/bin/env', 'bash', '-c', 'find /app -name "a*" | grep -c agent')).toBe('1\n')
})
