import { expect, test } from 'vitest'
import { debianComponent, parsePackages } from './debian-packages.ts'

const STATUS = `Package: libc6
Source: glibc
Version: 2.36-9+deb12u13
Architecture: amd64
Status: install ok installed

Package: tzdata
Version: 2025b-0+deb12u2
Architecture: all
Description: time zones
 Version: of the world

`

test('reads the packages of dpkg’s list', () => {
  expect(parsePackages(STATUS)).toEqual([
    { name: 'libc6', version: '2.36-9+deb12u13', architecture: 'amd64' },
    { name: 'tzdata', version: '2025b-0+deb12u2', architecture: 'all' },
  ])
  expect(parsePackages('')).toEqual([])
})

test('names a package as scanners do', () => {
  const [libc] = parsePackages(STATUS)
  expect(libc && debianComponent(libc, 'bookworm')).toMatchObject({
    name: 'libc6',
    version: '2.36-9+deb12u13',
    purl: 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u13?arch=amd64&distro=bookworm',
  })
})
