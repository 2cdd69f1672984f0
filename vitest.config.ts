import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// `./dev test` starts the servers that the tests need. The timeouts end tests that hang; a busy
// machine stays far below them. A long run tries ten times more random inputs.
const limits = {
  testTimeout: process.env['SLIPWAY_TEST_LONG'] ? 2_400_000 : 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000, interval: 100 } },
}

// Tests wait for servers and pods more than they compute. All files of these projects run side by
// side, in the order of the projects' names, and those that took long in the last run first.
const sideBySide = {
  sequence: { groupOrder: 1 },
  maxWorkers: Math.min(Math.ceil(availableParallelism() * 2.5), 12),
}

// Importing its subject takes a file about a second of a core, so most share processes.
const shared = { ...limits, ...sideBySide, isolate: false }

// `./dev test --changed` leaves folders out. The gate leaves out what takes long by its nature.
const left = process.env['SLIPWAY_TEST_EXCLUDE']?.split(',') ?? []
const long = process.env['SLIPWAY_TEST_LONG'] ? [] : ['**/*.long.test.ts']
const full = process.env['SLIPWAY_TEST_FULL']
  ? []
  : ['**/*.full.test.ts', '**/*.full-stack.test.ts']
const exclude = ['**/node_modules/**', ...left, ...long, ...full]

export default defineConfig({
  test: {
    projects: [
      {
        // The whole stack through the gateway.
        test: {
          ...limits,
          isolate: false,
          name: 'e2e',
          // After the others, one file at a time: side by side, they change what others list.
          sequence: { groupOrder: 2 },
          fileParallelism: false,
          include: ['test/{console,contract,e2e,faults}/**/*.test.ts'],
          exclude: [...exclude, 'test/e2e/observability-of-itself.test.ts'],
        },
      },
      {
        // One service with a real Postgres, NATS or Kubernetes API, or all with an earlier release.
        test: {
          ...shared,
          name: 'integration',
          include: [
            '{services,examples}/*/test/**/*.test.ts',
            'deploy/{helm,images,local}/test/**/*.test.ts',
            'packages/agent-image/test/**/*.test.ts',
            'test/releases/**/*.test.ts',
          ],
          exclude: [...exclude, 'services/observability/**'],
        },
      },
      {
        // The same, in a process for each file: a process has one embedded ClickHouse and one
        // telemetry, and some tests count its sockets.
        test: {
          ...limits,
          ...sideBySide,
          name: 'isolated',
          include: [
            'packages/shared/test/**/*.test.ts',
            'services/observability/test/**/*.test.ts',
            'test/e2e/observability-of-itself.test.ts',
          ],
          exclude,
        },
      },
      {
        // Pure logic, mostly next to its subject.
        test: {
          ...shared,
          name: 'unit',
          include: [
            '{apps,packages,services,deploy,examples}/**/src/**/*.test.{ts,tsx}',
            'packages/{agent-spec,client}/test/**/*.test.ts',
            '{deploy/local,tools}/**/*.test.ts',
          ],
          exclude: [...exclude, 'deploy/local/test/**'],
        },
      },
      {
        // Tests that would disturb the others or be disturbed, after all others, one at a time.
        test: {
          ...limits,
          name: 'alone',
          sequence: { groupOrder: 3 },
          fileParallelism: false,
          include: ['test/alone/**/*.test.ts'],
          exclude,
        },
      },
    ],
  },
})
