/** A new run of an ingestion. */
export const runExample = {
  name: 'docs-4f1c9a7be2',
  trigger: 'manual',
  state: 'pending',
  revision: 3,
  created_at: '2026-01-02T03:04:05.000Z',
  attempts: 0,
}

/** A page of runs. */
export const runListExample = {
  runs: [
    {
      ...runExample,
      state: 'failed',
      reason: 'all 4 attempts failed',
      exit_code: 1,
      attempts: 4,
      last_lines: ['error: the store refused the write'],
    },
  ],
  count: 1,
}

/** A suspended ingestion with a schedule. */
export const ingestionExample = {
  name: 'docs',
  trigger: 'schedule',
  schedule: '0 3 * * *',
  time_zone: 'UTC',
  suspended: true,
}

/** The ingestions of a deployment. */
export const ingestionListExample = {
  ingestions: [{ ...ingestionExample, suspended: false, next_run_at: '2026-01-03T03:00:00.000Z' }],
  count: 1,
}
