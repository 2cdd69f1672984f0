import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { cronProblem, nextCronTime } from '@slipway/agent-spec'
import { rounds } from '@slipway/testing/rounds'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { buildTool } from '../install/toolchain.ts'
import { stackDirectories } from '../stack/stack.ts'

// The CronJob controller works out times with the Go module of this program.

interface Question {
  readonly schedule: string
  readonly after: Date
}

const QUESTIONS_PER_RUN = 500

let program: string
beforeAll(async () => {
  const directory = await buildTool(stackDirectories(), 'kubernetes-cron', () => undefined)
  program = join(directory, 'kubernetes-cron')
}, 180_000)

function ofKubernetes(questions: readonly Question[]): string[] {
  const lines = questions.map(({ schedule, after }) => `${after.toISOString()}\t${schedule}`)
  const output = execFileSync(program, { input: lines.join('\n'), encoding: 'utf8' })
  return output.trimEnd().split('\n')
}

function ours({ schedule, after }: Question): string {
  const problem = cronProblem(schedule)
  if (problem === undefined) return nextCronTime(schedule, after)?.toISOString() ?? 'unknown'
  // Kubernetes accepts a schedule that is never due.
  return problem.startsWith('no day matches') ? 'never' : 'invalid'
}

const oneOf = fc.constantFrom

/** A field between two bounds, mostly valid. */
function field(min: number, max: number, names: readonly string[]): fc.Arbitrary<string> {
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min, max }).map(String) },
    { weight: 2, arbitrary: oneOf(...names) },
    {
      weight: 1,
      arbitrary: oneOf(`${min - 1}`, `${max + 1}`, `+${min}`, `0${max}`, '', 'x', '1.5'),
    },
  )
  const base = fc.oneof(
    { weight: 4, arbitrary: oneOf('*', '?') },
    { weight: 4, arbitrary: value },
    { weight: 3, arbitrary: fc.tuple(value, value).map((ends) => ends.join('-')) },
    { weight: 1, arbitrary: oneOf('*-5', '?-x', '1-2-3', '*-', '-', '**') },
  )
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    { weight: 4, arbitrary: oneOf('/1', '/2', '/3', '/7', '/10', '/40') },
    { weight: 1, arbitrary: oneOf('/', '/0', '/-1', '/x', '/1/2', '/99999', '/+2', '/01') },
  )
  const part = fc.tuple(base, step).map((both) => both.join(''))
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    { weight: 4, arbitrary: part },
    { weight: 2, arbitrary: fc.array(part, { maxLength: 4 }).map((parts) => parts.join(',')) },
  )
}

const month = field(1, 12, ['jan', 'Feb', 'DEC', 'mai'])
const weekday = field(0, 6, ['sun', 'Mon', 'SAT', 'tues'])
const schedule = fc
  .tuple(field(0, 59, ['five']), field(0, 23, ['noon']), field(1, 31, ['first']), month, weekday)
  .map((words) => words.join(' '))
const question = fc.record({
  schedule,
  // Kubernetes looks ahead for five years, which is not enough around 2100.
  after: fc.date({ min: new Date('2024-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
})
const questions = fc.array(question, {
  minLength: QUESTIONS_PER_RUN,
  maxLength: QUESTIONS_PER_RUN,
  size: 'max',
})

/** Random schedules may lack a day that never comes. */
const OF_EACH_KIND = ['30 6 * * 1-5', '0 0 31 2 *', '60 * * * *'].map((each) => ({
  schedule: each,
  after: new Date('2026-01-01'),
}))

test('a schedule is due when Kubernetes runs it', () => {
  const kinds = new Set<string>()
  fc.assert(
    fc.property(questions, (asked) => {
      const expected = ofKubernetes(asked)
      const found = asked.map(ours)
      for (const [index, answer] of found.entries()) {
        kinds.add(/^[a-z]+$/.test(answer) ? answer : 'due')
        expect([asked[index], answer]).toEqual([asked[index], expected[index]])
      }
    }),
    { numRuns: rounds(20), examples: [[OF_EACH_KIND]] },
  )
  expect(kinds).toEqual(new Set(['due', 'invalid', 'never']))
})
