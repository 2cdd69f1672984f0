/** An agent without other components: a required and an optional credential, and a plain input. */
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

/** An agent with every kind of component. */
export const FULL_SPEC = `${PLAIN_SPEC}
models:
  main: {provider: openai}
knowledge:
  cache: {provider: redis, persistent: true}
  db: {provider: postgres, persistent: true}
tools:
  calculator:
    container:
      image: registry.example/calculator:1
      port: 9000
      environment: {CACHE: "\${knowledge.cache.url}", TOKEN: "Bearer \${credentials.API_TOKEN}"}
ingestion:
  docs:
    container: {image: registry.example/docs:1}
    trigger: {type: manual}
  seed:
    container: {image: registry.example/seed:1}
    trigger: {type: startup}
  nightly:
    container: {image: registry.example/nightly:1}
    trigger: {type: schedule}
  hook:
    container: {image: registry.example/hook:1, port: 8090}
    trigger: {type: webhook}
`

/** Values of the credentials that FULL_SPEC requires. */
export const FULL_CREDENTIALS = {
  API_TOKEN: 'first-secret-value',
  OPENAI_API_KEY: 'openai-secret-value',
}

/** A schedule and an interface for FULL_SPEC. */
export const FULL_CHOICES = {
  schedules: { schedules: { nightly: '0 3 * * *' } },
  interfaces: { names: ['web'] },
}
