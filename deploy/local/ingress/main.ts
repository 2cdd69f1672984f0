// The ingress controller of the local stack: it configures nginx from the cluster's Ingresses.
import { parseArgs } from 'node:util'
import { createApiClient } from '../kubernetes/client.ts'
import { writeIfChanged } from '../kubernetes/write-if-changed.ts'
import { serveIngresses } from './controller.ts'
import { servingControllerFile } from './nginx.ts'

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    nginx: { type: 'string' },
    'run-dir': { type: 'string' },
    listen: { type: 'string', multiple: true },
  },
})
const { kubeconfig, nginx: program, 'run-dir': runDir, listen } = values
if (
  kubeconfig === undefined ||
  program === undefined ||
  runDir === undefined ||
  listen === undefined
) {
  throw new Error('--kubeconfig, --nginx, --run-dir and --listen are required')
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
await serveIngresses(
  createApiClient(kubeconfig),
  { program, runDir, listen },
  {
    signal: stop.signal,
    onServed: () => writeIfChanged(servingControllerFile({ runDir }), String(process.pid)),
  },
)
process.exit(0)
