import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

// With `node --import` it prints each file that the program loads.
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:')) process.stdout.write(`${fileURLToPath(url)}\n`)
    return nextLoad(url, context)
  },
})
