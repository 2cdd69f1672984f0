import { describe, expect, test } from 'vitest'
import { linkerFlags, mainPackage, moduleVersion, sourceHash } from './toolchain.ts'
import { tools } from './tools.ts'

const goMod = `module slipway.dev/local/example

go 1.24.0

require (
	github.com/spf13/cobra v1.9.1
	k8s.io/kubernetes v1.34.4 // indirect
)

replace k8s.io/api => k8s.io/api v0.34.4
`

describe('moduleVersion', () => {
  test('reads a block, a single requirement, and one with a comment', () => {
    expect(moduleVersion(goMod, 'k8s.io/kubernetes')).toBe('v1.34.4')
    expect(moduleVersion('require example.org/x/v2 v2.1.0\n', 'example.org/x/v2')).toBe('v2.1.0')
  })

  test('returns undefined for a tool without a module', () => {
    expect(moduleVersion(goMod, undefined)).toBeUndefined()
  })

  test('rejects a module that is not required', () => {
    expect(() => moduleVersion(goMod, 'k8s.io/api')).toThrow('go.mod does not require k8s.io/api')
  })
})

test('builds the package of the tool directive, or the module itself without one', () => {
  expect(mainPackage('module m\n\ntool example.org/cmd/x\n')).toBe('example.org/cmd/x')
  expect(mainPackage(goMod)).toBe('.')
})

test('sets the version of programs that report it', () => {
  expect(linkerFlags(tools.kubernetes, 'v1.34.4')).toContain(
    '-X k8s.io/component-base/version.gitMinor=34',
  )
  expect(linkerFlags(tools.helm, 'v4.3.1')).toBe(
    '-s -w -X helm.sh/helm/v4/internal/version.version=v4.3.1',
  )
  expect(linkerFlags({}, 'v0.22.1')).toBe('-s -w')
})

describe('sourceHash', () => {
  const hash = sourceHash({ 'go.mod': 'a', 'main.go': 'b' }, ['-x', 'go1.26.8'])

  test('does not depend on the order in which files are found', () => {
    expect(sourceHash({ 'main.go': 'b', 'go.mod': 'a' }, ['-x', 'go1.26.8'])).toBe(hash)
  })

  test.each([
    ['a file changes', { 'go.mod': 'a', 'main.go': 'c' }, ['-x', 'go1.26.8']],
    ['a file is renamed', { 'go.mod': 'a', 'mainb.go': '' }, ['-x', 'go1.26.8']],
    ['the Go version changes', { 'go.mod': 'a', 'main.go': 'b' }, ['-x', 'go1.26.9']],
  ])('differs when %s', (_, sources, settings) => {
    expect(sourceHash(sources, settings)).not.toBe(hash)
  })
})
