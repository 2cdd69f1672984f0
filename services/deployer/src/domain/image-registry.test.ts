import { describe, expect, test } from 'vitest'

import { isInternalRegistry } from './image-registry.ts'

describe('isInternalRegistry', () => {
  test.each([
    '10.0.0.5:6443',
    '169.254.169.254',
    '203.0.113.9:5000',
    '127.1:80',
    '2130706433.:80',
    'a.0x7f000001',
    '[::1]:5000',
    '[fd00::1]',
    'fd00::1',
    'localhost',
    'localhost:5000',
    'registry:5000',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local:443',
    'metadata.google.internal',
    'registry.home.arpa',
    'registry.lan.',
  ])('is true for %s', (registry) => {
    expect(isInternalRegistry(registry)).toBe(true)
  })

  test.each([
    'docker.io',
    'ghcr.io',
    'registry.example.com:5000',
    '123456789012.dkr.ecr.eu-west-1.amazonaws.com',
    'europe-docker.pkg.dev',
    'local.example.com',
    'internal.example:443',
  ])('is false for %s', (registry) => {
    expect(isInternalRegistry(registry)).toBe(false)
  })
})
