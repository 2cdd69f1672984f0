/** An agent that is only itself, with one required and one optional credential and a plain input. */
export const PLAIN_SPEC = `spec: astro/v1
name: plain
agent:
  image: registry.example/plain:1
  port: 8080
  healthcheck: {path: /healthz}
  inputs:
    token: {name: API_TOKEN, datatype: string, secret: true}
    extra: {name: EXTRA_TOKEN, datatype: string, secret: true, optional: true}
    greeting: {name: GREETING, datatype: string, default: hello}
`
