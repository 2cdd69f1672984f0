/** The agents of an account. */
export const AGENTS_PER_ACCOUNT = 10
/**
 * The users who send requests. Each owns the account with their number, and publishes for every
 * account whose number modulo PEOPLE is theirs.
 */
export const PEOPLE = 500

/** An agent of the bench with its account and users. */
export interface Subject {
  readonly agentId: string
  readonly agent: string
  readonly accountId: string
  readonly account: string
  /** The owner of the account. */
  readonly owner: string
  /** Another user, who is an admin of the account. */
  readonly publisher: string
  readonly publisherId: string
  readonly ownerId: string
  /** The build that the bench registers. */
  readonly newBuild: string
  /** The version under which the bench publishes the second build. */
  readonly version: string
}

/** The description and tags of all agents. */
export const DESCRIPTION = 'Answers questions about invoices and explains what it found'
export const TAGS = ['support', 'billing', 'invoices'] as const

/** Returns the agent with a number. */
export function subjectOf(index: number): Subject {
  const accountIndex = Math.floor(index / AGENTS_PER_ACCOUNT)
  return {
    agentId: idOf(3, index),
    agent: `agent-${padded(index)}`,
    accountId: idOf(2, accountIndex),
    account: `account-${padded(accountIndex)}`,
    owner: `owner-${padded(accountIndex)}`,
    ownerId: idOf(1, accountIndex),
    publisher: `publisher-${padded(accountIndex % PEOPLE)}`,
    publisherId: idOf(4, accountIndex % PEOPLE),
    newBuild: `new-${padded(index)}`,
    version: '2.0.0',
  }
}

/** Returns the spec of an agent's builds. */
export function specOf(agent: string): string {
  return `spec: astro/v1
name: ${agent}
meta:
  description: ${DESCRIPTION}
  tags: [${TAGS.join(', ')}]
agent:
  image: registry.example/team/${agent}:1.4.2
  port: 8080
  environment:
    LANGUAGE: en
    MAX_TOKENS: "2048"
models:
  main:
    provider: openai
    model: gpt-5
interfaces:
  chat:
    adapter: web
`
}

function padded(index: number): string {
  return String(index).padStart(6, '0')
}

function idOf(kind: number, index: number): string {
  return `${kind}0000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
}
