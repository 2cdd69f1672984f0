import { rounds } from '@slipway/testing/rounds'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  isEnvName,
  parseSpec,
  readSpec,
  requiredCredentials,
  SpecSyntaxError,
  specWarnings,
  templateToYaml,
  type AgentSpec,
  type ResolvedComponent,
} from '../src/index.ts'
import { specDocument, wrongDocument } from './support/arbitrary.ts'
import { prepare, resolve, serviceHost, templateOf } from './support/fixtures.ts'
import { sourcesOf } from './support/sources.ts'

/** A request with every value that a template needs; each value is recognizable. */
function fullRequest(spec: AgentSpec) {
  const template = templateOf(spec)
  const keys = [...Object.keys(template.credentials), 'EXTRA_KEY'].filter(isEnvName)
  const scheduled = Object.entries(template.ingestion).filter(
    ([, { trigger }]) => trigger.type === 'schedule',
  )
  return {
    userCredentials: Object.fromEntries(keys.map((key) => [key, `secret-of-${key}`])),
    schedules: Object.fromEntries(scheduled.map(([name]) => [name, '0 * * * *'])),
  }
}

/** Deploys of generated specs; not all are valid. */
const deploy = specDocument.map((document) => {
  const spec = readSpec(document)
  const request = fullRequest(spec)
  return { spec, request, ...prepare(spec, request) }
})
const validDeploy = deploy.filter(({ problems }) => problems.length === 0)

function secretsOf(components: Record<string, ResolvedComponent>): [string, string][] {
  return Object.values(components).flatMap(({ environment }) => Object.entries(environment.secret))
}

test('a valid deploy has one address for each entry', () => {
  fc.assert(
    fc.property(validDeploy, ({ spec, filled }) => {
      const agent = resolve(filled)['agent']?.environment.plain ?? {}
      for (const [entry, { provider, container }] of Object.entries(spec.knowledge)) {
        if (provider !== undefined || !container) continue
        const name = `KNOWLEDGE_${entry.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}_HOST`
        expect(agent[name]).toBe(serviceHost({ kind: 'knowledge', entry }))
      }
      const hosts = Object.values(filled.template.knowledge).length
      const names = Object.keys(filled.template.knowledge).map((entry) =>
        serviceHost({ kind: 'knowledge', entry }),
      )
      expect(new Set(names).size).toBe(hosts)
    }),
  )
})

test('a valid deploy has one source for each variable of the agent', () => {
  fc.assert(
    fc.property(validDeploy, ({ spec }) => {
      const all = sourcesOf(spec)
      expect(new Set(all).size).toBe(all.length)
      const inputs = new Set(spec.agent.inputs.map(({ name }) => name))
      const written = Object.keys(spec.agent.environment ?? {})
      expect(written.filter((name) => inputs.has(name))).toEqual([])
    }),
    { numRuns: rounds(100) },
  )
})

test('a valid deploy passes every credential to a component, only as a secret', () => {
  fc.assert(
    fc.property(validDeploy, ({ request, filled }) => {
      const components = resolve(filled)
      const secrets = secretsOf(components)
      for (const [key, value] of Object.entries(request.userCredentials)) {
        expect(secrets).toContainEqual([key, value])
      }
      const plain = JSON.stringify([
        filled.template,
        filled.values,
        Object.values(components).map((c) => c.environment.plain),
      ])
      expect(plain).not.toContain('secret-of-')
      expect(plain).not.toContain('pw/')
    }),
  )
})

test('a valid deploy resolves to valid, distinct names without references', () => {
  fc.assert(
    fc.property(validDeploy, ({ filled }) => {
      for (const { environment, image } of Object.values(resolve(filled))) {
        const names = [...Object.keys(environment.plain), ...Object.keys(environment.secret)]
        expect(new Set(names).size).toBe(names.length)
        expect(names.filter((name) => !isEnvName(name))).toEqual([])
        expect(image).not.toBe('')
        const values = JSON.stringify(environment)
        expect(values).not.toMatch(/\$\{(models|knowledge|tools|credentials|source)\./)
      }
    }),
  )
})

test('a valid deploy is the same when it is repeated with an empty request', () => {
  fc.assert(
    fc.property(validDeploy, ({ spec, filled }) => {
      const again = prepare(spec, { previous: filled.values })
      expect(again.problems).toEqual([])
      expect(again.filled.template).toEqual(filled.template)
      expect(again.filled.values).toEqual(filled.values)
      expect(again.filled.keptCredentialKeys).toEqual(filled.values.credentialKeys)
    }),
  )
})

test('a deploy without a required credential is invalid', () => {
  fc.assert(
    fc.property(validDeploy, ({ spec, request }) => {
      for (const { key, optional } of requiredCredentials(spec)) {
        if (optional || templateOf(spec).credentials[key]?.same_as !== undefined) continue
        const { [key]: _, ...rest } = request.userCredentials
        const twins = Object.values(templateOf(spec).credentials).some(
          ({ same_as: other }) => other === key,
        )
        const { problems } = prepare(spec, { ...request, userCredentials: rest })
        expect(problems).toEqual(
          twins ? [] : [`user_credentials.${key}: a required credential is missing`],
        )
      }
    }),
    { numRuns: rounds(50) },
  )
})

test('any spec that parses can be checked, built and resolved', () => {
  fc.assert(
    fc.property(fc.oneof(wrongDocument, specDocument), (document) => {
      const parsed = { document, spec: readSpec(document) }
      const warnings = specWarnings(parsed, { agentName: 'example' })
      expect(warnings.every(({ message }) => message !== '')).toBe(true)
      requiredCredentials(parsed.spec, { interfaces: ['slack'] })
      expect(templateToYaml(templateOf(parsed.spec))).toContain('deployment/v1')
      const { filled } = prepare(parsed.spec, {
        interfaces: ['web'],
        overrides: { 'agent.replicas': 2 },
      })
      expect(resolve(filled)['agent']?.replicas).toBe(2)
    }),
    { numRuns: rounds(100) },
  )
})

test('a document written as JSON parses to the same document', () => {
  fc.assert(
    fc.property(specDocument, (document) => {
      expect(parseSpec(JSON.stringify(document)).document).toEqual(document)
    }),
  )
})

test('any text is either parsed or rejected with a message', () => {
  const pieces = fc.constantFrom(
    'a',
    ': ',
    '\n',
    '- ',
    '[',
    ']',
    '{',
    '}',
    '&x ',
    '*x',
    '"',
    "'",
    '|',
    '>',
    '#',
    '!!str ',
    '%',
    '---\n',
    '  ',
    ', ',
    '? ',
    '\t',
    '<<',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      let outcome: unknown
      try {
        outcome = parseSpec(parts.join('')).document
      } catch (error) {
        outcome = error instanceof SpecSyntaxError ? {} : error
      }
      expect(outcome).not.toBeInstanceOf(Error)
      expect(outcome).toBeTypeOf('object')
    }),
    { numRuns: rounds(300) },
  )
})
