import { userInfo } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { buildEnvironment } from './program/build-environment.ts'
import { managerEnvironment } from './program/uv.ts'
import { credentialPaths } from './registry/credential-files.ts'
import { cacheHome, folderIn, homeFolder } from './user-folders.ts'

const HOME = userInfo().homedir

test.each(['', 'cache', './cache'])(
  'ignores a variable with "%s", which is not absolute',
  (value) => {
    const environment = { XDG_CACHE_HOME: value, XDG_CONFIG_HOME: value, XDG_RUNTIME_DIR: value }
    expect(folderIn(environment, 'XDG_CACHE_HOME')).toBeUndefined()
    expect(cacheHome({ ...environment, HOME: '/home/a' })).toBe('/home/a/.cache')
    expect(homeFolder({ HOME: value })).toBe(HOME)
    expect(credentialPaths({ ...environment, HOME: value })).toEqual([
      join(HOME, '.docker/config.json'),
      join(HOME, '.config/containers/auth.json'),
    ])
    // npm, pnpm and uv would make a folder of that name in the project.
    const all = { ...environment, XDG_DATA_DIRS: 'a:b', XDG_STATE_HOME: '/state' }
    const names = (passed: object) => Object.keys(passed).filter((name) => name.startsWith('XDG_'))
    expect(names(buildEnvironment(all, []))).toEqual(['XDG_DATA_DIRS', 'XDG_STATE_HOME'])
    expect(names(managerEnvironment(all))).toEqual(['XDG_DATA_DIRS', 'XDG_STATE_HOME'])
    expect(buildEnvironment({ HOME: value }, [])).not.toHaveProperty('HOME')
  },
)

test('takes absolute folders', () => {
  const environment = { HOME: '/home/a', XDG_CACHE_HOME: '/c', XDG_CONFIG_HOME: '/d' }
  expect(cacheHome(environment)).toBe('/c')
  expect(credentialPaths(environment)).toContain('/d/containers/auth.json')
})
