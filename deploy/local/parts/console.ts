import { builtConsole } from '../install/console.ts'
import type { Part } from '../stack/part.ts'

/** The console, which the gateway serves. It is built once for each change of its sources. */
export const consolePart: Part = {
  name: 'console',
  needs: [],

  up: async (stack, log) => ({ CONSOLE_FOLDER: await builtConsole(stack, log) }),

  async down() {
    // The built console stays in the cache.
  },

  status: async () => [],
}
