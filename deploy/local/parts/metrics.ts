import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildTool } from '../install/toolchain.ts'
import { createApiClient } from '../kubernetes/client.ts'
import { addresses, clusterPaths, ports } from '../kubernetes/layout.ts'
import { registerMetricsApi } from '../kubernetes/metrics/metrics-api.ts'
import { METRICS_SERVER, startMetricsServer } from '../kubernetes/metrics/metrics-server.ts'
import { daemonStatuses } from '../process/daemon-status.ts'
import { stopDaemon } from '../process/daemon.ts'
import type { Part } from '../stack/part.ts'

/** The processor time and memory of pods, for `kubectl top` and autoscalers. No part needs it. */
export const metricsPart: Part = {
  name: 'metrics',
  needs: ['kubernetes'],
  ports: () => [{ host: addresses.node, port: ports.metrics, daemon: METRICS_SERVER }],

  async up(stack, log) {
    await startMetricsServer(stack, await buildTool(stack, 'metrics-server', log))
    const { adminKubeconfig, credentials } = clusterPaths(stack)
    const authority = readFileSync(join(credentials, 'ca.crt'), 'utf8')
    await registerMetricsApi(createApiClient(adminKubeconfig), authority)
    return {}
  },

  down: async (stack) => await stopDaemon(stack, METRICS_SERVER),

  status: async (stack) => daemonStatuses(stack, [METRICS_SERVER]),
}
