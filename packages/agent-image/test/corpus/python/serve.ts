/** The source of a server in Python that answers each request with the value of an expression. */
export function serve(imports: string, expression: string): string {
  return `${imports}
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        body = str(${expression}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    ThreadingHTTPServer(("", 8080), Handler).serve_forever()


if __name__ == "__main__":
    main()
`
}

/** What a pyproject.toml begins with. */
export function pyproject(name: string, dependencies: readonly string[], more = ''): string {
  const listed = dependencies.map((each) => JSON.stringify(each)).join(', ')
  return `[project]
name = "${name}"
version = "1.0.0"
requires-python = ">=3.11"
dependencies = [${listed}]
${more}`
}

/** The build backends of these projects. */
export const BACKENDS = {
  flit: '[build-system]\nrequires = ["flit_core>=3.12"]\nbuild-backend = "flit_core.buildapi"\n',
  hatch: '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n',
  pdm: '[build-system]\nrequires = ["pdm-backend"]\nbuild-backend = "pdm.backend"\n',
  poetry: '[build-system]\nrequires = ["poetry-core"]\nbuild-backend = "poetry.core.masonry.api"\n',
  setuptools:
    '[build-system]\nrequires = ["setuptools>=80"]\nbuild-backend = "setuptools.build_meta"\n',
} as const
