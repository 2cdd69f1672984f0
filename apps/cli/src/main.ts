import { enableCompileCache } from 'node:module'

// Compiled code is kept in a cache of the user, which makes every start but the first faster.
enableCompileCache()
const { main } = await import('./app/main-program.ts')
process.exitCode = await main(process.argv.slice(2))
