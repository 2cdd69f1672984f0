import { closeSync, constants, createReadStream, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { addAbortSignal, type Readable } from 'node:stream'
import { isatty } from 'node:tty'

import { usageError } from '../errors/cli-error.ts'
import type { Cli } from './cli.ts'

/** More than the API takes. */
const MAX_BYTES = 64 * 1024 * 1024
/** A wait for other programs is announced after this time. */
const ANNOUNCED_AFTER_MS = 2000

/** Which input is read, and for which option. */
interface Input {
  readonly option: string
  /** A file, a pipe, or `-` for standard input. */
  readonly path: string
  /** What to do when it is the terminal. */
  readonly instead: string
}

/**
 * Reads the text of an option that names a file, a named pipe, `<(…)`, or `-`. Says so when it
 * waits for another program. Ctrl-C ends the wait.
 */
export async function readInput(cli: Cli, { option, path, instead }: Input): Promise<string> {
  const onTerminal = () =>
    usageError(`${option} ${path} reads standard input, which is the terminal`, instead)
  if (path === '-') {
    if (cli.stdin.isTTY === true) throw onTerminal()
    return await readWhole(cli, cli.stdin as Readable, 'standard input')
  }
  try {
    const content = openWithoutWait(path)
    if (content === undefined) throw onTerminal()
    return await readWhole(cli, content, path)
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw usageError(`${option} ${path} can't be read: ${message}`)
  }
}

/** Opens a file or pipe; undefined for a terminal. Reading closes it. */
function openWithoutWait(path: string): Readable | undefined {
  // Without this flag, a pipe is opened when it has a writer, and Ctrl-C couldn't end the wait.
  // Windows doesn't know it.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
  const fd = openSync(path, flags)
  if (isatty(fd)) {
    closeSync(fd)
    return undefined
  }
  if (fstatSync(fd).isFIFO()) return new Socket({ fd, readable: true, writable: false })
  return createReadStream(path, { fd })
}

async function readWhole(
  { printer, signal }: Cli,
  content: Readable,
  name: string,
): Promise<string> {
  const announcement = setTimeout(() => {
    printer.say(`waiting for the end of ${name}: another program has to write it`)
  }, ANNOUNCED_AFTER_MS)
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of addAbortSignal(signal, content) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > MAX_BYTES)
        throw usageError(`${name} has more than ${MAX_BYTES} bytes`, 'give it less')
      chunks.push(chunk)
    }
  } finally {
    clearTimeout(announcement)
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
}
