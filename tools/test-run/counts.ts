/** Numbers of tests by result. */
export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The parts of vitest's JSON report that are used. */
export interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/**
 * Counts a run of vitest. A failure outside of tests (a file that can't be loaded, a hook, a leak)
 * counts as one failed test.
 */
export function countVitest(report: VitestReport | undefined, exitCode: number): TestCounts {
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = report.numFailedTests + broken.length
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** The sums over several runs. */
export function addCounts(counts: readonly TestCounts[]): TestCounts {
  const sum = (pick: (each: TestCounts) => number) =>
    counts.reduce((total, each) => total + pick(each), 0)
  return {
    passed: sum((each) => each.passed),
    failed: sum((each) => each.failed),
    skipped: sum((each) => each.skipped),
  }
}

/** The last line of every test run. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
