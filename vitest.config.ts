import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// unit: pure logic, next to its subject. integration: one service with a real Postgres, NATS,
// Kubernetes API or ClickHouse. e2e: the whole stack through the gateway. alone: tests that would
// disturb the others, or be disturbed. `./dev test` starts the servers. The timeouts end tests that
// hang; a busy machine stays far below them.
const expect = { poll: { timeout: 120_000 } }

// Tests wait for servers and pods more than they compute.
const maxWorkers = Math.min(Math.ceil(availableParallelism() * 2.5), 12)

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          sequence: { groupOrder: 1 },
          maxWorkers,
          // With a separate process for each file, imports would take most of the time.
          isolate: false,
          testTimeout: 150_000,
          hookTimeout: 150_000,
          expect,
          include: [
            '{packages,services,deploy,examples}/**/src/**/*.test.ts',
            'packages/agent-spec/test/**/*.test.ts',
            'deploy/local/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', 'deploy/local/test/**'],
        },
      },
      {
        test: {
          name: 'integration',
          sequence: { groupOrder: 2 },
          include: [
            '{packages,services,examples}/*/test/**/*.test.ts',
            'deploy/{images,local}/test/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', 'packages/agent-spec/**'],
          testTimeout: 300_000,
          expect,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'e2e',
          // One file at a time: side by side, pods take longer to start than a test waits.
          sequence: { groupOrder: 3 },
          fileParallelism: false,
          include: ['test/{contract,e2e,faults}/**/*.test.ts'],
          testTimeout: 600_000,
          expect,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'alone',
          // After all others, one file at a time.
          sequence: { groupOrder: 4 },
          fileParallelism: false,
          include: ['test/alone/**/*.test.ts'],
          testTimeout: 600_000,
          expect,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
