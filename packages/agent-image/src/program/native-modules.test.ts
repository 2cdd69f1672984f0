import { expect, test } from 'vitest'
import { fileEntry, type Entry } from '../image/entries.ts'
import { requireNativeModules } from './native-modules.ts'

const platform = { os: 'linux', architecture: 'amd64' } as const

/** The start of an ELF file for a processor: 62 is x86-64, 183 is aarch64. */
function elf(machine: number): Buffer {
  const head = Buffer.alloc(64)
  head.writeUInt32BE(0x7f454c46, 0)
  head.writeUInt16LE(machine, 18)
  return head
}

function module(name: string, content: Buffer): Entry {
  return fileEntry(`app/node_modules/${name}/build/native.node`, content)
}

test('accepts native code for the platform, next to that for others', async () => {
  const entries = [
    module('both', elf(62)),
    fileEntry('app/node_modules/both/prebuilds/darwin.node', Buffer.from('feedfacf', 'hex')),
    module('@scope/fits', elf(62)),
    fileEntry('app/node_modules/plain/index.js', 'export {}'),
  ]
  await expect(requireNativeModules(entries, platform)).resolves.toBeUndefined()
})

test('accepts optional packages of other platforms', async () => {
  const entries = [module('@img/sharp-darwin-arm64', elf(183)), module('sharp', elf(62))]
  await expect(requireNativeModules(entries, platform)).resolves.toBeUndefined()
})

test.each([
  ['another processor', elf(183)],
  ['macOS', Buffer.from('cffaedfe0c000001', 'hex')],
  ['an empty file', Buffer.alloc(0)],
])('names the packages that have native code for %s only', async (_, content) => {
  const entries = [module('fits', elf(62)), module('@scope/wrong', content)]
  await expect(requireNativeModules(entries, platform)).rejects.toThrow(
    '@scope/wrong has native code, but not for linux/amd64; install it with ' +
      'npm install --os=linux --cpu=x64 --libc=glibc',
  )
})
