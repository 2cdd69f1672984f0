import { compareCodePoints } from '../json.ts'
import { DEPLOY_LIMITS } from './limits.ts'

/**
 * Takes problems until there are more than are reported, and returns each once, sorted. One more
 * than `DEPLOY_LIMITS.problems` means that there are more.
 */
export function firstProblems(problems: Iterable<string>): string[] {
  const found = new Set<string>()
  for (const problem of problems) {
    found.add(problem)
    if (found.size > DEPLOY_LIMITS.problems) break
  }
  return [...found].sort(compareCodePoints)
}
