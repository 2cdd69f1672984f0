import { messagingImage, pushMessagingImage } from '../install/messaging-image.ts'
import type { Part } from '../stack/part.ts'
import { registryAddress } from './registry.ts'

/**
 * The platform's own images in the stack's registry. Nothing waits for them: a pod that is early
 * pulls again.
 */
export const imagesPart: Part = {
  name: 'images',
  needs: ['registry'],

  async up(stack, log) {
    await pushMessagingImage(stack, registryAddress, log)
    return { MESSAGING_IMAGE: messagingImage(stack, registryAddress) }
  },

  async down() {
    // They stay in the registry's directory.
  },

  status: async () => [],
}
