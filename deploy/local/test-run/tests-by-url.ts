/**
 * Tests of the whole stack that need more than its URL, its issuer and its cluster: they call a
 * service directly, start other services, or read the stack's databases, logs or NATS.
 */
export const NEED_PROCESSES: readonly string[] = [
  'test/e2e/authentication.test.ts',
  'test/e2e/backup.long.test.ts',
  'test/e2e/events.test.ts',
  'test/e2e/inspection.test.ts',
  'test/e2e/internal-tls.test.ts',
  'test/e2e/image-users.test.ts',
  'test/e2e/log-limits.long.test.ts',
  'test/e2e/observability-faults.long.test.ts',
  'test/e2e/observability-grpc.test.ts',
  'test/e2e/observability-of-itself.test.ts',
  'test/e2e/observability-replay.test.ts',
  'test/e2e/secrets.test.ts',
  'test/contract/answers-by-rpc.test.ts',
  'test/contract/build-sizes.test.ts',
  'test/contract/catalog-by-rpc.long.test.ts',
  'test/contract/cluster-away.long.test.ts',
  'test/contract/deployment-failures.long.test.ts',
  'test/contract/deployment-trouble.test.ts',
  'test/contract/deployments-by-rpc.long.test.ts',
  'test/contract/front-desk.test.ts',
  // Sends requests that fetch can't, and resolves no names in localhost.
  'test/contract/fuzz.test.ts',
  'test/contract/idempotency.test.ts',
  'test/contract/many-problems.test.ts',
  'test/contract/observability-access.test.ts',
  'test/contract/observability-rpc.test.ts',
  'test/contract/races.test.ts',
  'test/contract/service-callers.test.ts',
  'test/contract/unavailable.test.ts',
  'test/contract/usage.test.ts',
  'test/faults/**',
]
