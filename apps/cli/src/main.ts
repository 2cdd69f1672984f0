import { enableCompileCache } from 'node:module'

// Compiled code is kept in a cache of the user, which makes every start but the first faster.
enableCompileCache()
// The code of a process whose work never ends, until nothing is left that could end it.
process.exitCode = 1
void import('./app/main-program.ts').then(async ({ main }) => {
  process.exitCode = await main(process.argv.slice(2))
})
