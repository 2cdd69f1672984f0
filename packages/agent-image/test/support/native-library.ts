import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'

/** A shared library of this machine that needs `libq.so.6`, which no system has. */
export function libraryThatLacks(): Buffer {
  const output = execFileSync('ldd', [realpathSync('/usr/bin/git')], { encoding: 'utf8' })
  const file = /libz\S* => (\S+)/.exec(output)?.[1]
  if (file === undefined) throw new Error('git needs no libz here')
  const bytes = readFileSync(file)
  const at = bytes.indexOf('\0libc.so.6\0')
  if (at < 0) throw new Error(`${file} needs no libc.so.6`)
  bytes.write('libq', at + 1)
  return bytes
}
