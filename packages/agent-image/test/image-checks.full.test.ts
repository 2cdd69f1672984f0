import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { AgentImageBuilder } from '../src/parts.ts'
import { scratch } from './support/images.ts'
import { runImage } from './support/run-image.ts'

it('refuses a wheel whose libraries of the system are missing, as the loader does', async () => {
  await using place = await scratch()
  const folder = join(place.folder, 'vision')
  const write = async (name: string, text: string): Promise<void> =>
    await writeFile(join(folder, name), text)
  const builder = async (said: string[] = []): Promise<AgentImageBuilder> =>
    await AgentImageBuilder.open(folder, { progress: (line) => void said.push(line) })
  const output = async (): Promise<string> =>
    (await runImage((await builder()).assemble('agent').image, place.folder)).output

  await mkdir(folder)
  await write('main.py', 'import read\n')
  await write('read.py', 'import cv2\nprint(cv2.__version__)\n')
  await write('requirements.txt', 'numpy<2.3\nopencv-python==4.10.0.84\n')
  expect(await output()).toContain('libGL.so.1: cannot open shared object file')
  await expect((await builder()).build('agent')).rejects.toThrow(
    /cv2\/cv2\.abi3\.so needs libGL\.so\.1.*opencv-python-headless/,
  )
  await write('read.py', 'def read():\n  import cv2\n')
  const said: string[] = []
  await (await builder(said)).build('agent')
  expect(said.join('\n')).toMatch(/^warning: native code lacks libraries.*libGL\.so\.1/m)

  await write('read.py', 'import cv2\nprint(cv2.__version__)\n')
  await write('requirements.txt', 'numpy<2.3\nopencv-python-headless==4.10.0.84\n')
  const fitting: string[] = []
  await (await builder(fitting)).build('agent')
  expect(fitting.filter((line) => line.startsWith('warning: native'))).toEqual([])
  expect(await output()).toBe('4.10.0\n')
})
