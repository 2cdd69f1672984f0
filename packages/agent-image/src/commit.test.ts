import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readCommit } from './commit.ts'

const NO_CI = {}

test('knows the commit, its branch and message, and whether files changed', async () => {
  const { folder, git, id } = await repository('Answer shorter\n\nBecause users asked.')
  const clean = { id: id(), branch: 'main', message: 'Answer shorter', has_changes: false }
  expect(await readCommit(folder, NO_CI)).toEqual(clean)
  await writeFile(join(folder, 'agent.py'), 'print(2)')
  expect(await readCommit(folder, NO_CI)).toEqual({ ...clean, has_changes: true })
  git('checkout', '--', '.')
  await writeFile(join(folder, 'new.py'), '')
  expect(await readCommit(folder, NO_CI)).toEqual({ ...clean, has_changes: true })
})

test('knows none without a repository, and before the first commit', async () => {
  const folder = await newFolder()
  expect(await readCommit(folder, NO_CI)).toBeUndefined()
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  expect(await readCommit(folder, NO_CI)).toBeUndefined()
})

test('takes from the CI service what git does not know', async () => {
  const { folder, git, id } = await repository('Build it')
  git('checkout', '--quiet', '--detach')
  const gitHub = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://git.example.com',
    GITHUB_REPOSITORY: 'team/agent',
    GITHUB_RUN_ID: '42',
    GITHUB_REF: 'refs/heads/release',
    GITHUB_SHA: 'f'.repeat(40),
  }
  expect(await readCommit(folder, gitHub)).toEqual({
    id: id(),
    branch: 'release',
    message: 'Build it',
    has_changes: false,
    ci_run_url: 'https://git.example.com/team/agent/actions/runs/42',
  })
  const gitLab = {
    GITLAB_CI: 'true',
    CI_COMMIT_SHA: 'e'.repeat(40),
    CI_COMMIT_REF_NAME: 'main',
    CI_PROJECT_URL: 'https://git.example.com/team/agent',
    CI_PIPELINE_ID: '7',
    CI_JOB_ID: '8',
  }
  expect(await readCommit(await newFolder(), gitLab)).toMatchObject({
    id: 'e'.repeat(40),
    branch: 'main',
    ci_run_url: expect.stringMatching(/^https:\/\/git\.example\.com\/team\/agent\//),
  })
})

test('leaves out what the API would refuse', async () => {
  const { folder, id } = await repository(`Clear\u001B[2J the screen ${'😀'.repeat(300)}`)
  const env = { CI: 'true', JENKINS_URL: 'x', BUILD_URL: 'https://user:word@ci.example.com/1' }
  const commit = await readCommit(folder, env)
  expect(commit).toMatchObject({ id: id(), branch: 'main' })
  expect(commit).not.toHaveProperty('ci_run_url')
  expect(commit?.message).toMatch(/^Clear \[2J the screen 😀+$/u)
  expect(commit?.message?.length).toBeLessThanOrEqual(500)
})

test('runs no program that the repository names', async () => {
  const { folder, git } = await repository('Look here')
  const ran = join(folder, '..', 'ran')
  const command = `sh -c 'touch ${ran}; cat'`
  git('config', 'core.fsmonitor', command)
  git('config', 'log.showSignature', 'true')
  git('config', 'gpg.program', command)
  git('config', 'filter.evil.clean', command)
  await writeFile(join(folder, '.gitattributes'), '* filter=evil\n')
  await writeFile(join(folder, 'agent.py'), 'print(2)')
  const commit = await readCommit(folder, NO_CI)
  expect(commit).toMatchObject({ message: 'Look here' })
  expect(commit).not.toHaveProperty('has_changes')
  expect(existsSync(ran)).toBe(false)
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-commit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function repository(message: string) {
  const folder = join(await newFolder(), 'agent')
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder])
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim()
  await writeFile(join(folder, 'agent.py'), 'print(1)')
  git('add', '.')
  git('commit', '--quiet', '--message', message)
  return { folder, git, id: () => git('rev-parse', 'HEAD') }
}
