// The cluster agent renews the deployer's token and, in the stack's own cluster, creates volumes
// for claims.
import { parseArgs } from 'node:util'
import { createApiClient } from '../client.ts'
import { keepTokenFresh } from './token.ts'
import { provideVolumes } from './volumes.ts'

const { values } = parseArgs({
  options: {
    kubectl: { type: 'string' },
    kubeconfig: { type: 'string' },
    'token-file': { type: 'string' },
    owner: { type: 'string' },
    volumes: { type: 'string' },
  },
})
const { kubectl, kubeconfig, owner, volumes, 'token-file': tokenFile } = values
if (kubectl === undefined || kubeconfig === undefined || tokenFile === undefined) {
  throw new Error('--kubectl, --kubeconfig and --token-file are required')
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const tasks = [
  keepTokenFresh(
    { kubectl, kubeconfig, tokenFile, owner: owner?.split(':').map(Number) },
    stop.signal,
  ),
]
if (volumes !== undefined)
  tasks.push(provideVolumes(createApiClient(kubeconfig), volumes, stop.signal))
await Promise.all(tasks)
process.exit(0)
