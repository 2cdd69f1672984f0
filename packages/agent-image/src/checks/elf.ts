import type { Platform } from '../image/oci.ts'

/** What a native program or library needs to be loaded. */
export interface ElfFacts {
  /** Undefined for processors that no image has. */
  readonly architecture: Platform['architecture'] | undefined
  /** The names of the libraries that the loader looks for. */
  readonly needed: readonly string[]
  /** Where it looks first: `DT_RUNPATH`, or `DT_RPATH` in older files; with `$ORIGIN`. */
  readonly paths: readonly string[]
  /** The program that loads it, if it is one that starts. */
  readonly interpreter?: string
}

const MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1])
const MACHINES: Readonly<Record<number, Platform['architecture']>> = { 62: 'amd64', 183: 'arm64' }
/** How much of a file says for which processor it is. */
export const HEAD_BYTES = 20
const SEGMENT = { load: 1, dynamic: 2, interpreter: 3 }
const TAG = { needed: 1, strings: 5, rpath: 15, runpath: 29 }
/** No library needs more; a damaged file may say so. */
const MOST_ENTRIES = 10_000

/** Returns the processor that an ELF file is for; undefined if it is another file. */
export function architectureOf(head: Buffer): Platform['architecture'] | undefined {
  return head.subarray(0, 4).equals(MAGIC.subarray(0, 4)) && head.length >= HEAD_BYTES
    ? MACHINES[head.readUInt16LE(18)]
    : undefined
}

/**
 * Reads what an ELF file of 64 bits, as images of amd64 and arm64 have them, needs. Undefined if it
 * is another file, or damaged.
 */
export function readElf(file: Buffer): ElfFacts | undefined {
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  try {
    return factsOf(file)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function factsOf(file: Buffer): ElfFacts {
  const segments = segmentsOf(file)
  const of = (type: number): Segment | undefined => segments.find((each) => each.type === type)
  const interpreter = of(SEGMENT.interpreter)
  const entries = dynamicEntries(file, of(SEGMENT.dynamic))
  const strings = offsetOf(segments, entries.find(([tag]) => tag === TAG.strings)?.[1] ?? 0)
  const textsOf = (wanted: number): string[] =>
    entries.filter(([tag]) => tag === wanted).map(([, value]) => textAt(file, strings + value))
  const runpath = textsOf(TAG.runpath)
  return {
    architecture: architectureOf(file),
    needed: textsOf(TAG.needed),
    paths: (runpath.length > 0 ? runpath : textsOf(TAG.rpath)).flatMap((each) => each.split(':')),
    ...(interpreter && { interpreter: textAt(file, interpreter.offset) }),
  }
}

interface Segment {
  readonly type: number
  readonly offset: number
  readonly address: number
  readonly size: number
}

function segmentsOf(file: Buffer): Segment[] {
  const [start, size, count] = [numberAt(file, 32), file.readUInt16LE(54), file.readUInt16LE(56)]
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * size
    return {
      type: file.readUInt32LE(at),
      offset: numberAt(file, at + 8),
      address: numberAt(file, at + 16),
      size: numberAt(file, at + 32),
    }
  })
}

function dynamicEntries(file: Buffer, segment: Segment | undefined): [number, number][] {
  const entries: [number, number][] = []
  if (segment === undefined) return entries
  const end = segment.offset + Math.min(segment.size, MOST_ENTRIES * 16)
  for (let at = segment.offset; at + 16 <= end; at += 16) {
    const tag = numberAt(file, at)
    if (tag === 0) break
    entries.push([tag, numberAt(file, at + 8)])
  }
  return entries
}

/** The place in the file of what is loaded at an address. */
function offsetOf(segments: readonly Segment[], address: number): number {
  const found = segments.find(
    (each) =>
      each.type === SEGMENT.load && each.address <= address && address < each.address + each.size,
  )
  return found === undefined ? address : address - found.address + found.offset
}

function textAt(file: Buffer, at: number): string {
  const end = file.indexOf(0, at)
  if (at > file.length || end < 0) throw new RangeError('a text leaves the file')
  return file.toString('utf8', at, end)
}

function numberAt(file: Buffer, at: number): number {
  return Number(file.readBigUInt64LE(at))
}
