import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Writes a wheel of the package `greeting`, so that pip needs no index; returns its name. */
export function writeWheel(folder: string): string {
  const name = 'greeting-1.0-py3-none-any.whl'
  const script = `
import sys, zipfile
info = 'greeting-1.0.dist-info/'
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    wheel.writestr('greeting.py', 'TEXT = "hello from a package"')
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: greeting\\nVersion: 1.0\\n')
    fields = ['Wheel-Version: 1.0', 'Generator: t', 'Root-Is-Purelib: true', 'Tag: py3-none-any']
    wheel.writestr(info + 'WHEEL', '\\n'.join(fields))
    wheel.writestr(info + 'RECORD', '')
`
  execFileSync('python3', ['-c', script, join(folder, name)])
  return name
}
