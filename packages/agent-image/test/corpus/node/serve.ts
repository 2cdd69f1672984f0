/** The source of a server in CommonJS that answers each request with the value of an expression. */
export function serve(expression: string, imports = ''): string {
  return `${imports === '' ? `const { createServer } = require('node:http')` : imports}
createServer(async (request, response) => {
  try {
    response.end(String(await (${expression})))
  } catch (error) {
    response.writeHead(500).end(String(error?.stack ?? error))
  }
}).listen(8080)
`
}

/** The same as an ES module. */
export function serveModule(imports: string, expression: string): string {
  return serve(expression, `import { createServer } from 'node:http'\n${imports}`)
}

/** Shows what three aliases of packages are: `semver-old`, `scoped` and `@own/ms`. */
export const ALIASES =
  `[require('semver-old/package.json').version, require('scoped').default.array([]), ` +
  `require('@own/ms')(60000)]`

/** A patch of the package is-odd 3.0.1, whose files are below `place`. */
export function patchOfIsOdd(place = ''): string {
  const file = `${place}index.js`
  return `diff --git a/${file} b/${file}
--- a/${file}
+++ b/${file}
@@ -20,5 +20,5 @@ module.exports = function isOdd(value) {
   if (!Number.isSafeInteger(n)) {
     throw new Error('value exceeds maximum safe integer');
   }
-  return (n % 2) === 1;
+  return 'patched ' + ((n % 2) === 1);
 };
`
}
