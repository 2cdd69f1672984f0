import { expect, test } from 'vitest'
import { goComponents } from './go-modules.ts'

test('returns what a go.mod requires, and no replacement', () => {
  const goMod = `module slipway.dev/local/x

go 1.26.0

tool github.com/a/b/cmd/x

require github.com/a/b/v2 v2.1.0

require (
	golang.org/x/sys v0.47.0 // indirect
	github.com/docker/cli v29.7.2+incompatible // indirect
)

replace github.com/a/b/v2 => github.com/c/d v1.0.0
`
  expect(goComponents(goMod).map(({ purl }) => purl)).toEqual([
    'pkg:golang/github.com/a/b/v2@v2.1.0',
    'pkg:golang/golang.org/x/sys@v0.47.0',
    'pkg:golang/github.com/docker/cli@v29.7.2%2Bincompatible',
  ])
})
