import { messagingImage, pushMessagingImage } from '../install/messaging-image.ts'
import { pushStoreImages } from '../install/store-images.ts'
import type { Part } from '../stack/part.ts'
import { REGISTRY_ADDRESS } from './registry.ts'

/**
 * The platform's images in the stack's registry. No part waits for them: Kubernetes retries pulls.
 */
export const imagesPart: Part = {
  name: 'images',
  needs: ['registry'],

  async up(stack, log) {
    await pushMessagingImage(stack, REGISTRY_ADDRESS, log)
    await pushStoreImages(stack, REGISTRY_ADDRESS, log)
    return { MESSAGING_IMAGE: messagingImage(stack, REGISTRY_ADDRESS) }
  },

  async down() {
    // The images stay in the registry's directory.
  },

  status: async () => [],
}
