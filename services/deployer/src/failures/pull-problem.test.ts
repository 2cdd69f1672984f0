import { expect, test } from 'vitest'

import { pullProblem } from './pull-problem.ts'

const pulling = (image: string, error: string) =>
  `Back-off pulling image "${image}": ErrImagePull: failed to pull and unpack image "${image}": ` +
  `failed to resolve reference "${image}": ${error}`

const UNREACHABLE = {
  message: 'the image could not be pulled; check its reference, and that its registry is reachable',
  original: '',
}

// Each is what a kubelet with containerd or CRI-O reports.
test.each([
  ['registry.example/x:1', 'registry.example/x:1: not found', 'or there is no such registry'],
  ['registry.example/x:1', 'no match for platform in manifest: not found', 'the registry has no'],
  [
    'registry.example/x:1',
    'reading manifest 1: manifest unknown',
    'the registry has no such image for',
  ],
  [
    'registry.example/x:1',
    'pull access denied, repository does not exist or may require authorization: server ' +
      'message: insufficient_scope: authorization failed',
    'needs other credentials',
  ],
  ['r.example/x', 'unexpected status from HEAD request: 403 Forbidden', 'needs other credentials'],
])('explains a pull of %s that failed with "%s"', (image, error, problem) => {
  expect(pullProblem('ImagePullBackOff', pulling(image, error), image)?.message).toContain(problem)
})

const HEAD = 'failed to do request: Head "https://10.0.0.5:6443/v2/x/manifests/1"'

test.each([
  `${HEAD}: dial tcp 10.0.0.5:6443: connect: connection refused`,
  `${HEAD}: tls: failed to verify certificate: x509: certificate is valid for kubernetes`,
  `${HEAD}: transport connection broken: malformed HTTP response "SSH-2.0-OpenSSH_9.6"`,
  'dial tcp: lookup db.corp.example on 10.0.0.10:53: no such host',
])('does not show how the network responded: %s', (error) => {
  const image = '10.0.0.5:6443/x:1'
  expect(pullProblem('ErrImagePull', pulling(image, error), image)).toEqual(UNREACHABLE)
})

test('shows the words of the registry that it recognizes, and nothing around them', () => {
  const image = 'registry.example/x:1'
  const error = `${HEAD}: registry.example/x:1: not found`
  expect(pullProblem('ErrImagePull', pulling(image, error), image)?.original).toBe('not found')
})

test('does not mistake words of the reference for the registry’s response', () => {
  const image = 'registry.example/denied:1'
  expect(pullProblem('ErrImagePull', pulling(image, 'EOF'), image)).toEqual(UNREACHABLE)
})

test('leaves other reasons as they are', () => {
  expect(pullProblem('CreateContainerConfigError', 'secret "x" not found', 'x')).toBeUndefined()
})
