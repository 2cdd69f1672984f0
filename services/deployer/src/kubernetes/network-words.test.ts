import { expect, test } from 'vitest'

import { withoutNetwork } from './network-words.ts'

test.each([
  'failed calling webhook "w": Post "https://10.0.0.5:8443/check": dial tcp 10.0.0.5:8443: refused',
  'failed calling webhook "w": Post "https://w.ns.svc:443": no service port 443 found for "w"',
  'failed calling webhook "w": Post "https://w.ns.svc:443": x509: certificate of w.corp',
  'failed calling webhook "w": lookup w.corp on 10.0.0.2:53: no such host',
])('does not describe the network: %s', (message) => {
  expect(withoutNetwork(message)).toMatch(
    /^failed calling webhook "w": a part of the cluster does not respond; [^/\d]+$/,
  )
})

test.each([
  'admission webhook "w" denied the request: see https://wiki.example.com/rules',
  'exceeded quota: q, requested: pods=1',
])('keeps what is for users: %s', (message) => {
  expect(withoutNetwork(message)).toBe(message)
})
