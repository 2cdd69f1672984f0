import { defineConfig } from 'vitest/config'

// unit: pure logic, files beside their subject. integration: one service against the real Postgres, NATS,
// Kubernetes API or ClickHouse. e2e: the whole stack through the gateway. `./slipway test` starts what they need.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // One kind after the other: the end-to-end tests stop and restart what the others need.
          sequence: { groupOrder: 0 },
          include: ['{packages,services,deploy,examples}/**/src/**/*.test.ts', 'deploy/local/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'deploy/local/test/**'],
        },
      },
      {
        test: {
          name: 'integration',
          sequence: { groupOrder: 1 },
          include: ['{packages,services,examples}/*/test/**/*.test.ts', 'deploy/{images,local}/test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          sequence: { groupOrder: 2 },
          include: ['test/{contract,e2e,faults}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
