import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AgentImageBuilder, type Image } from '../src/parts.ts'
import { scratch, type Scratch } from './support/images.ts'
import { libraryThatLacks } from './support/native-library.ts'
import { runImage } from './support/run-image.ts'

let place: Scratch
beforeAll(async () => {
  place = await scratch()
})
afterAll(async () => await place[Symbol.asyncDispose]())

type Files = Readonly<Record<string, string | Buffer>>

async function write(name: string, files: Files): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(place.folder, name, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content, { mode: String(content).startsWith('#!') ? 0o755 : 0o644 })
  }
  return join(place.folder, name)
}

/** What a build says, and its image. */
async function build(folder: string): Promise<{ said: string[]; image: Image }> {
  const said: string[] = []
  const progress = (line: string): void => void said.push(line)
  const builder = await AgentImageBuilder.open(folder, { progress })
  const { image } = await builder.build('agent')
  return { said: said.filter((line) => line.startsWith('warning')), image }
}

/** What a container of an image that isn't checked writes. */
async function output(folder: string): Promise<string> {
  const { image } = (await AgentImageBuilder.open(folder, {})).assemble('agent')
  return (await runImage(image, place.folder)).output
}

it('refuses native modules that the start imports and whose libraries are missing', async () => {
  const folder = await write('python-native', {
    'main.py': 'import service\n',
    'service/__init__.py': 'from .images import read\n',
    'service/images.py': 'from vision import read\n',
    'vision/__init__.py': 'import importlib\nimportlib.import_module("vision.vision")\n',
    'vision/vision.abi3.so': libraryThatLacks(),
  })
  expect(await output(folder)).toContain('libq.so.6: cannot open shared object file')
  await expect(build(folder)).rejects.toThrow(
    'python3 main.py loads native code that lacks libraries: ' +
      'app/vision/vision.abi3.so needs libq.so.6',
  )
  // What may never be loaded is a warning.
  await write('python-native', {
    'service/images.py':
      'try:\n  import vision\nexcept ImportError:\n  print("without")\nread = 1\n',
  })
  expect(await output(folder)).toBe('without\n')
  const { said } = await build(folder)
  expect(said).toEqual([expect.stringContaining('app/vision/vision.abi3.so needs libq.so.6')])
  expect((await build(folder)).said).toEqual(said)
})

it('refuses native modules of Node.js whose libraries are missing', async () => {
  const manifest = (dependencies: object) => JSON.stringify({ main: 'main.js', dependencies })
  const folder = await write('node-native', {
    'package.json': manifest({ canvas: '1.0.0' }),
    'main.js': 'const lib = require("./lib.js")\n',
    'lib.js': 'const canvas = require("canvas")\n',
    'node_modules/canvas/package.json': '{"name":"canvas","version":"1.0.0","main":"a.node"}',
    'node_modules/canvas/a.node': libraryThatLacks(),
  })
  await expect(build(folder)).rejects.toThrow(
    'node main.js loads native code that lacks libraries: ' +
      'app/node_modules/canvas/a.node needs libq.so.6',
  )
  await write('node-native', { 'lib.js': 'export const draw = () => import("canvas")\n' })
  expect((await build(folder)).said.at(-1)).toContain('fails if it is loaded')
})

it('refuses a start whose interpreter, module or file is missing', async () => {
  const folder = await write('perl', { Procfile: 'web: ./serve\n', 'requirements.txt': '' })
  await write('perl', { serve: '#!/usr/bin/perl6\nsay 1\n' })
  await expect(build(folder)).rejects.toThrow(
    'starts /app/serve, which needs /usr/bin/perl6, but neither its base nor the project has',
  )
  await write('perl', { serve: '#!/usr/bin/python3\nprint(1)\n' })
  expect((await build(folder)).said).toEqual([])
  await write('perl', { Procfile: 'web: python3 -m service.missing\n', 'service.py': '' })
  await expect(build(folder)).rejects.toThrow('needs the module service.missing')
  await write('perl', { Procfile: 'web: ./gone\n' })
  await expect(build(folder)).rejects.toThrow('the image starts ./gone, but neither')
})

it('refuses an object that the module of the start does not define', async () => {
  const folder = await write('object', {
    Procfile: 'web: ./uvicorn app.api:gone --port 80\n',
    'requirements.txt': '',
    uvicorn: '#!/usr/bin/python3\nimport app.api\nprint(app.api.gone)\n',
    'app/__init__.py': '',
    'app/api.py': 'from http import server\nif True:\n  api = server.HTTPServer\n',
  })
  expect(await output(folder)).toContain("AttributeError: module 'app.api' has no attribute 'gone'")
  await expect(build(folder)).rejects.toThrow(
    "needs gone of app.api, but /app/app/api.py doesn't define it (it has api, server); correct",
  )
  // What runs at the import may still define it.
  await write('object', { 'app/api.py': 'globals()["gone"] = 1\n' })
  expect(await output(folder)).toBe('1\n')
  expect((await build(folder)).said).toEqual([expect.stringContaining('unless it is set while')])
  await write('object', { 'app/api.py': 'def init():\n  global gone\n  gone = 1\ninit()\n' })
  expect((await build(folder)).said).toEqual([])
  // Modules of a package, and code that the machine's Python can't read.
  await write('object', { Procfile: 'web: ./uvicorn app:api\n' })
  expect((await build(folder)).said).toEqual([])
  await write('object', { Procfile: 'web: ./uvicorn app.api:gone\n', 'app/api.py': 'type = = 1' })
  expect((await build(folder)).said).toEqual([])
})

it('warns of links that lead to nothing', async () => {
  const folder = await write('links', {
    'main.py': 'print(1)',
    'data/a': '',
    '.dockerignore': 'data',
  })
  await symlink('data/a', join(folder, 'a'))
  await symlink('main.py', join(folder, 'b.py'))
  const { said, image } = await build(folder)
  expect(said).toEqual([expect.stringMatching(/app\/a \(to data\/a\)$/)])
  expect((await runImage(image, place.folder)).output).toBe('1\n')
})
