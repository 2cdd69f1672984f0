/** The source of a server in CommonJS that answers each request with the value of an expression. */
export function serve(expression: string): string {
  return `require('node:http')
  .createServer(async (request, response) => {
    try {
      response.end(String(await (${expression})))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  .listen(8080)
`
}

/** The same as an ES module, after its imports. */
export function serveModule(imports: string, expression: string): string {
  return `import { createRequire } from 'node:module'\n${imports}\nconst require = createRequire(import.meta.url)\n${serve(expression)}`
}
