import { defineConfig } from 'vitest/config'

// unit: pure logic, in files next to their subject. integration: one service with real Postgres,
// NATS, Kubernetes API or ClickHouse. e2e: the whole stack through the gateway. `./dev test` starts
// what they need. The timeouts end tests that hang; a busy machine stays far below them.
const expect = { poll: { timeout: 120_000 } }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // One kind after the other: the end-to-end tests stop and restart what the others need.
          sequence: { groupOrder: 0 },
          // Most of a unit test's time would go into importing its subject in a process of its own.
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
          sequence: { groupOrder: 1 },
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
          sequence: { groupOrder: 2 },
          include: ['test/{contract,e2e,faults}/**/*.test.ts'],
          testTimeout: 600_000,
          expect,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
