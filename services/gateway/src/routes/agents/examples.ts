const DIGEST = 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const IMAGE = '127.0.0.1:5000/support-agent:b1a4dac0d2f4'
const COMMIT = {
  id: '3f786850e387550fdab836ed7e6dc881de23001b',
  branch: 'main',
  message: 'Answer questions about quotas',
  has_changes: false,
  ci_run_url: 'https://ci.example.com/runs/42',
}
const REGISTRY = '127.0.0.1:5000'

const names = { account: 'alice', name: 'support-agent' }
const warning = { field: 'agent.prot', message: 'unknown field; did you mean port?' }
const published = {
  build_id: 'b1a4dac0d2f4',
  version: '1.0.0',
  published_at: '2026-11-20T09:00:00.000Z',
}
const summary = { description: 'Answers questions about file sharing', tags: ['support'] }

export const agentExample = {
  ...names,
  registry: REGISTRY,
  versions: [
    {
      ...published,
      spec: {
        spec: 'astro/v1',
        name: 'support-agent',
        agent: { image: IMAGE, port: 8080 },
      },
      readme: '# Support agent',
      image_digests: { [IMAGE]: DIGEST },
      registered_at: '2026-11-20T08:59:00.000Z',
      validation_warnings: [],
      commit: COMMIT,
    },
  ],
}

export const agentListExample = {
  agents: [{ ...names, registry: REGISTRY, versions: [{ ...published, ...summary }] }],
  count: 1,
}

export const accountAgentListExample = {
  agents: [
    {
      ...names,
      registry: REGISTRY,
      versions: [
        {
          build_id: 'c2b5ebd1e3a5',
          ...summary,
          registered_at: '2026-11-21T10:00:00.000Z',
          validation_warnings: [warning],
        },
      ],
    },
  ],
  count: 1,
}

export const registerExample = {
  build_id: 'b1a4dac0d2f4',
  registry: REGISTRY,
  spec_content: `spec: astro/v1\nname: support-agent\nagent:\n  image: ${IMAGE}\n  port: 8080\n`,
  readme: '# Support agent',
  image_digests: { [IMAGE]: DIGEST },
  commit: COMMIT,
}

export const registeredExample = {
  message: 'Agent registered successfully',
  ...names,
  build_id: 'b1a4dac0d2f4',
  validation_warnings: [warning],
}

export const publishExample = { build_id: 'b1a4dac0d2f4', version: '1.0.0' }

export const publishedExample = { message: 'agent published', ...names, ...publishExample }

export const configExample = {
  agent: 'support-agent',
  build_id: 'b1a4dac0d2f4',
  credentials: [
    {
      key: 'SUPPORT_API_TOKEN',
      provider: 'support',
      category: 'integration',
      description: 'Token of the help desk',
      optional: false,
    },
  ],
}

export const deletedBuildExample = {
  message: 'build deleted',
  ...names,
  build_id: 'c2b5ebd1e3a5',
  dry_run: false,
}

export const deletedAgentExample = {
  message: 'agent deleted',
  ...names,
  dry_run: false,
  deleted: { builds: ['c2b5ebd1e3a5', 'b1a4dac0d2f4'], build_count: 2 },
}

export const yankedExample = { message: 'version yanked', ...names, ...publishExample }

export const templateExample = {
  spec: 'deployment/v1',
  source: { ...names, build: 'b1a4dac0d2f4', registry: REGISTRY },
  target: { runtime: 'kubernetes', namespace: 'agent-support-agent-1718d1d36a' },
  agent: { image: IMAGE, port: 8080, replicas: 1 },
}
