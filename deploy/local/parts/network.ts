import { hasNodeAddress, setUpNetwork, tearDownNetwork } from '../kubernetes/network/network.ts'
import type { Part } from '../stack/part.ts'

/**
 * The node's address, at which pods reach the host, and the firewall rules that keep pods on this
 * machine. It is separate from the cluster because services bind to the address before the cluster
 * is up and after it is down.
 */
export const networkPart: Part = {
  name: 'network',
  needs: [],

  async up(stack) {
    await setUpNetwork(stack)
    return {}
  },

  async down(stack) {
    await tearDownNetwork(stack)
  },

  async status() {
    return [{ name: 'network', state: (await hasNodeAddress()) ? 'running' : 'stopped' }]
  },
}
