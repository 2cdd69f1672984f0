import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import type { Image } from '../../src/parts.ts'

/** What a program of an image has written. */
export interface ImageRun {
  /** The folder with the file system of the image. */
  readonly root: string
  readonly output: string
}

/** Finds the program on the image's PATH as container runtimes do. Every image here has Python. */
const START = `
import os, sys
os.chdir(sys.argv[1])
os.execvp(sys.argv[2], sys.argv[2:])
`

/** An image whose file system is in a folder, and what it starts. */
export interface UnpackedImage {
  readonly root: string
  readonly entrypoint: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly workingDirectory: string
}

/** Unpacks an image to a new folder below `directory`. */
export async function unpackImage(
  { layers, config }: Image,
  directory: string,
): Promise<UnpackedImage> {
  const root = await mkdtemp(join(directory, 'root-'))
  for (const { source } of layers) {
    const bytes = 'bytes' in source ? source.bytes : await readFile(source.file)
    execFileSync('tar', ['--extract', '--directory', root], { input: zstdDecompressSync(bytes) })
  }
  if (!('bytes' in config.source)) throw new Error('a configuration is in memory')
  const { Entrypoint, Env, WorkingDir } = (
    JSON.parse(config.source.bytes.toString()) as {
      config: { Entrypoint: string[]; Env: string[]; WorkingDir: string }
    }
  ).config
  const environment = Object.fromEntries(
    Env.map((each) => each.split(/=(.*)/s) as [string, string]),
  )
  return { root, entrypoint: Entrypoint, environment, workingDirectory: WorkingDir }
}

/** Unpacks the image of a Python program below a folder, and runs it without a network. */
export async function runImage(image: Image, directory: string): Promise<ImageRun> {
  const { root, entrypoint, environment, workingDirectory } = await unpackImage(image, directory)
  const { stdout, stderr } = spawnSync(
    '/usr/sbin/chroot',
    [root, '/usr/bin/python3', '-c', START, workingDirectory, ...entrypoint],
    { env: environment, encoding: 'utf8' },
  )
  return { root, output: `${stdout}${stderr}` }
}
