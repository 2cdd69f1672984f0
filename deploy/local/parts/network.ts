import { hasNodeAddress, setUpNetwork, tearDownNetwork } from '../kubernetes/network/network.ts'
import type { Part } from '../stack/part.ts'

/**
 * The node's address, at which pods reach the host, and the firewall rules that keep pods on this
 * machine. It is separate from the cluster because services need the address before the cluster
 * starts and after it stops.
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
