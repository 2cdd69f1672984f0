import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const CHECKOUT = resolve(import.meta.dirname, '../..')

function read(path: string): string {
  return readFileSync(join(CHECKOUT, path), 'utf8')
}

const { version } = JSON.parse(read('package.json')) as { version: string }

test('the chart has the version of the checkout', () => {
  const chart = parse(read('deploy/helm/slipway/Chart.yaml')) as unknown
  expect(chart).toMatchObject({ version, appVersion: version })
})

test('the changelog ends with the version of the checkout, apart from what is unreleased', () => {
  const [newest] = [...read('CHANGELOG.md').matchAll(/^## \[(\d.*?)\]/gm)].map(([, name]) => name)
  expect(newest).toBe(version)
})

test('no other package has a version, except agents, which have their own', () => {
  const folders = '{proto,test,packages/*,services/*,deploy/*,deploy/local/*,examples/*,tools}'
  const versioned = globSync(`${folders}/package.json`, { cwd: CHECKOUT }).filter((path) =>
    Object.hasOwn(JSON.parse(read(path)) as object, 'version'),
  )
  expect(versioned.toSorted()).toEqual([
    'examples/notes-agent/package.json',
    'examples/support-agent/package.json',
  ])
})
