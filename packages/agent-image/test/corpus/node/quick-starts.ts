import type { CorpusProject } from '../corpus-project.ts'
import { BY_NPM } from './npm.ts'
import { serveModule } from './serve.ts'

const QUESTION = 'What is the capital of France?'

/** All answer with what the model server says. */
const WITH_MODEL = { ...BY_NPM, usesModel: true, answer: 'It is Paris.' } as const

/** The quick starts of agent frameworks, as a server. */
export const quickStarts: readonly CorpusProject[] = [
  {
    ...WITH_MODEL,
    name: 'start-vercel-ai-sdk',
    files: {
      'package.json': {
        type: 'module',
        main: 'index.ts',
        dependencies: { ai: '^7.0.0', '@ai-sdk/openai': '^4.0.0', zod: '^4.0.0' },
        devDependencies: { '@types/node': '^24.0.0', tsx: '^4.20.0', typescript: '^5.9.0' },
      },
      'index.ts': serveModule(
        `import { openai } from '@ai-sdk/openai'\nimport { generateText } from 'ai'`,
        `generateText({ model: openai('gpt-4.1-mini'), prompt: '${QUESTION}' })` +
          '.then(({ text }) => text)',
      ),
    },
  },
  {
    ...WITH_MODEL,
    name: 'start-openai-agents',
    files: {
      'package.json': {
        type: 'module',
        main: 'index.ts',
        dependencies: { '@openai/agents': '^0.20.0', zod: '^4.0.0' },
      },
      'index.ts': serveModule(
        `import { Agent, run, setTracingDisabled } from '@openai/agents'
setTracingDisabled(true)
const agent = new Agent({
  name: 'Tutor',
  instructions: 'You answer questions clearly and concisely.',
  model: 'gpt-4.1-mini',
})`,
        `run(agent, '${QUESTION}').then(({ finalOutput }) => finalOutput)`,
      ),
    },
  },
  {
    ...WITH_MODEL,
    name: 'start-langgraph-js',
    files: {
      'package.json': {
        type: 'module',
        main: 'dist/agent.js',
        scripts: { build: 'tsc' },
        dependencies: {
          '@langchain/core': '^1.0.0',
          '@langchain/langgraph': '^1.0.0',
          '@langchain/openai': '^1.0.0',
        },
        devDependencies: { typescript: '^5.9.0', '@types/node': '^24.0.0' },
      },
      'tsconfig.json': {
        compilerOptions: {
          outDir: 'dist',
          module: 'nodenext',
          target: 'es2023',
          types: ['node'],
          skipLibCheck: true,
        },
        include: ['agent.ts'],
      },
      '.gitignore': 'dist\n',
      'agent.ts': serveModule(
        `import { ChatOpenAI } from '@langchain/openai'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
const model = new ChatOpenAI({ model: 'gpt-4.1-mini' })
const graph = new StateGraph(MessagesAnnotation)
  .addNode('llm', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addEdge(START, 'llm')
  .addEdge('llm', END)
  .compile()`,
        `graph.invoke({ messages: [{ role: 'user', content: '${QUESTION}' }] })` +
          '.then(({ messages }) => messages.at(-1)?.content)',
      ).replace('error?.stack ?? error', 'error'),
    },
  },
  {
    ...WITH_MODEL,
    name: 'start-mastra',
    files: {
      'package.json': {
        type: 'module',
        main: 'src/index.ts',
        dependencies: {
          '@ai-sdk/openai': '^4.0.0',
          '@hono/node-server': '^2.0.0',
          '@mastra/core': '^1.0.0',
          '@mastra/hono': '^1.0.0',
          hono: '^4.0.0',
          zod: '^4.0.0',
        },
      },
      'src/mastra.ts': `import { openai } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'

const tutor = new Agent({
  id: 'tutor',
  name: 'Tutor',
  instructions: 'You answer questions.',
  model: openai('gpt-4.1-mini'),
})
export const mastra = new Mastra({ agents: { tutor } })
`,
      'src/index.ts': `import { serve } from '@hono/node-server'
import { MastraServer } from '@mastra/hono'
import { Hono } from 'hono'
import { mastra } from './mastra.ts'

const app = new Hono()
const server = new MastraServer({ app, mastra })
await server.init()
serve({ fetch: app.fetch, port: 8080 })
`,
    },
    request: {
      path: '/api/agents/tutor/generate',
      body: { messages: [{ role: 'user', content: QUESTION }] },
    },
  },
  {
    ...WITH_MODEL,
    name: 'start-llamaindex-ts',
    files: {
      'package.json': {
        type: 'module',
        main: 'index.ts',
        dependencies: {
          '@llamaindex/openai': '^0.4.0',
          '@llamaindex/workflow': '^1.1.0',
          llamaindex: '^0.12.0',
          zod: '^3.25.0',
        },
      },
      'index.ts': serveModule(
        `import { openai } from '@llamaindex/openai'
import { agent } from '@llamaindex/workflow'
import { tool } from 'llamaindex'
import { z } from 'zod'
const sum = tool({
  name: 'sum',
  description: 'Adds two numbers',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => String(a + b),
})
const tutor = agent({ tools: [sum], llm: openai({ model: 'gpt-4.1-mini' }) })`,
        `tutor.run('${QUESTION}').then(({ data }) => data.result)`,
      ),
    },
  },
  {
    ...WITH_MODEL,
    name: 'start-claude-agent-sdk',
    files: {
      'package.json': {
        type: 'module',
        main: 'index.ts',
        dependencies: { '@anthropic-ai/claude-agent-sdk': '^0.3.0', zod: '^4.0.0' },
      },
      'index.ts': serveModule(
        `import { query } from '@anthropic-ai/claude-agent-sdk'
async function ask() {
  const asked = query({
    prompt: '${QUESTION}',
    options: { model: 'claude-sonnet-4-5', maxTurns: 1, env: { ...process.env, HOME: '/tmp' } },
  })
  for await (const message of asked) if ('result' in message) return message.result
}`,
        `ask()`,
      ),
    },
  },
]
