import { hasNodeAddress, setUpNetwork, tearDownNetwork } from '../kubernetes/network/network.ts'
import type { Part } from '../stack/part.ts'

/**
 * The node's address, by which pods reach what runs on the host, and the rules that keep pods on
 * this machine. A part of its own, since services bind to that address before (and after) there is
 * a cluster.
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
