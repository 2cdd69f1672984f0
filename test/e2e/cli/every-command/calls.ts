import { join } from 'node:path'

import { approveSignIn } from '../../../support/approve-sign-in.ts'
import { fromStack } from '../../../support/environment.ts'
import type { Terminal } from '../../../support/terminal.ts'
import type { World } from './world.ts'

const EXAMPLE = join(import.meta.dirname, '../../../../examples/support-agent')
const FROM_PROJECT = ['--from', 'project']

/** A call of a command that succeeds, after those before it in the list. */
export interface Call {
  readonly command: string
  readonly args?: (world: World) => readonly string[]
  /** What a terminal and a pipe show, where a terminal may break lines. */
  readonly shows: RegExp
  /** `visitor` signs in; alice and bob have their tokens in the environment. */
  readonly as?: 'bob' | 'visitor'
  readonly cwd?: string
  /** A question to answer with yes; without a terminal, `--yes` is used. */
  readonly asks?: RegExp
  /** What the user does elsewhere while the command waits. */
  readonly during?: (terminal: Terminal) => Promise<void>
  /** The status of the response whose body is the JSON. */
  readonly status?: number
  /** The operation whose body is the JSON, where the user chooses it. */
  readonly bodyOf?: string
}

const inTeam = ({ team }: World) => ['--account', team]
const agent = ({ agent: name }: World) => [name]
const shelf = ({ team }: World) => `${team}/shelf`

const signIn: readonly Call[] = [
  {
    command: 'login',
    as: 'visitor',
    args: () => [fromStack('SLIPWAY_URL'), '--no-browser'],
    during: approveSignIn,
    shows: /signed in to http/,
  },
  { command: 'whoami', as: 'visitor', shows: /alice@example\.test/ },
  { command: 'auth status', as: 'visitor', shows: /alice/ },
  { command: 'account list', as: 'visitor', shows: /alice\s+personal\s+owner/ },
  {
    command: 'account switch',
    as: 'visitor',
    args: ({ team }) => [team],
    shows: /commands now use the account team-/,
  },
  {
    command: 'context add',
    as: 'visitor',
    args: () => ['other', 'http://127.0.0.1:9599', '--registry', 'registry.example/path'],
    shows: /added other: http/,
  },
  { command: 'context list', as: 'visitor', shows: /other\s+http/ },
  { command: 'context use', as: 'visitor', args: () => ['other'], shows: /now use other/ },
  { command: 'context remove', as: 'visitor', args: () => ['other'], shows: /removed other/ },
  {
    command: 'logout',
    as: 'visitor',
    args: () => ['--context', 'local'],
    shows: /signed out of local/,
  },
]

const accounts: readonly Call[] = [
  { command: 'account create', args: ({ made }) => [made], status: 201, shows: /created made-/ },
  {
    command: 'account rename',
    args: ({ made }) => [made, `${made}-2`],
    shows: /the account is now called made-\w+-2/,
  },
  {
    command: 'account delete',
    args: ({ made }) => [`${made}-2`],
    asks: /Delete the account/,
    shows: /deleted made-/,
  },
  {
    command: 'members add',
    args: (world) => [world.bobId, '--role', 'admin', ...inTeam(world)],
    shows: /is a member as admin/,
  },
  { command: 'members confirm', as: 'bob', args: inTeam, shows: /confirmed: you are admin/ },
  { command: 'members list', args: inTeam, shows: /Bob Baker/ },
  {
    command: 'members role',
    args: (world) => [world.bobId, 'member', ...inTeam(world)],
    shows: /is now member/,
  },
  {
    command: 'members remove',
    args: (world) => [world.bobId, ...inTeam(world)],
    asks: /Remove .* \(member\) from/,
    shows: /removed/,
  },
  {
    command: 'tokens create',
    args: (world) => ['ci', ...inTeam(world)],
    status: 201,
    shows: /slipway_\w{32}/,
  },
  { command: 'tokens list', args: inTeam, shows: /ci\s+member/ },
  {
    command: 'tokens revoke',
    args: (world) => ['ci', ...inTeam(world)],
    asks: /Revoke ci/,
    shows: /revoked/,
  },
  { command: 'usage', args: inTeam, shows: /\D1,?000\D/ },
]

const catalog: readonly Call[] = [
  { command: 'init', args: ({ made }) => ['node', made], shows: /started made-/ },
  { command: 'validate', cwd: EXAMPLE, shows: /astroai\.yml is valid/ },
  {
    command: 'build',
    cwd: EXAMPLE,
    args: () => FROM_PROJECT,
    shows: /support-agent: build \w{12}/,
  },
  {
    command: 'push',
    cwd: EXAMPLE,
    args: (world) => [...FROM_PROJECT, ...inTeam(world)],
    shows: /registered team-\w+\/support-agent: build/,
  },
  {
    command: 'publish',
    args: (world) => ['1.0.0', shelf(world)],
    shows: /published team-\w+\/shelf 1\.0\.0 \(build b2\)/,
  },
  { command: 'yank', args: (world) => ['1.0.0', shelf(world)], shows: /yanked/ },
  { command: 'unyank', args: (world) => ['1.0.0', shelf(world)], shows: /shelf/ },
  { command: 'agents list', args: inTeam, shows: /team-/ },
  { command: 'agents show', args: (world) => [shelf(world)], shows: /1\.0\.0\s+b2\s+published/ },
  {
    command: 'agents delete-build',
    args: (world) => ['b1', shelf(world)],
    asks: /Delete .*b1/,
    shows: /deleted/,
  },
  {
    command: 'agents delete',
    args: ({ team }) => [`${team}/draft`],
    asks: /Delete team-\w+\/draft\?/,
    shows: /deleted team-\w+\/draft and 1 build/,
  },
]

const deployments: readonly Call[] = [
  {
    command: 'deploy',
    args: ({ agent: name }) => [name, '--set', 'agent.replicas=2'],
    asks: /Deploy cli-every/,
    shows: /status\s+ready/,
  },
  { command: 'history', args: agent, shows: /2\s+live\s/ },
  { command: 'diff', args: ({ agent: name }) => [name, '1'], shows: /replicas: .* → 2/ },
  { command: 'rollback', args: agent, asks: /back to\W+revision 1/, shows: /status\s+ready/ },
  { command: 'restart', args: agent, asks: /Restart /, shows: /status\s+restarted/ },
  {
    command: 'trigger',
    args: ({ agent: name }) => [name, 'load', '--wait'],
    shows: /state\s+succeeded/,
  },
  { command: 'status', args: agent, shows: /cli-every[\s\S]*agent\s+(agent\s+)?ready/ },
  { command: 'logs', args: agent, shows: /starting with fault none/ },
  { command: 'events', args: agent, shows: /ready/ },
  { command: 'metrics', args: ({ agent: name }) => [name, '--by', 'model'], shows: /m-1\s+\d/ },
  { command: 'traces list', args: agent, shows: /20(\sms)?/ },
  { command: 'traces show', args: ({ agent: name }) => ['latest', name], shows: /answer/ },
  { command: 'traces export', args: agent, shows: /the question/ },
  { command: 'sessions list', args: agent, shows: /chat-/ },
  {
    command: 'sessions show',
    args: ({ agent: name, session }) => [session, name],
    shows: /the question/,
  },
  {
    command: 'undeploy',
    args: agent,
    asks: /Delete this deployment of cli-every/,
    shows: /status\s+undeployed/,
  },
]

const tools: readonly Call[] = [
  {
    command: 'open',
    args: () => ['acme/helper', '--no-browser'],
    shows: /\/accounts\/acme\/deployments\/helper/,
  },
  { command: 'doctor', shows: /ok\s+clock/ },
  { command: 'api', args: () => ['GET', '/me'], bodyOf: 'GET /me', shows: /alice@example\.test/ },
  { command: 'completion', args: () => ['bash'], shows: /complete -o default -F _slipway slipway/ },
]

/** A call of every command. */
export const calls: readonly Call[] = [...signIn, ...accounts, ...catalog, ...deployments, ...tools]
