// Builds the console: node apps/console/scripts/main.ts [FOLDER]; by default into dist/.
import { join, resolve } from 'node:path'

import { buildConsole } from './build.ts'

await buildConsole(resolve(process.argv[2] ?? join(import.meta.dirname, '../dist')))
