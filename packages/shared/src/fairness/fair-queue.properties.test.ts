import { rounds } from '@slipway/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { FairQueue, type FairShare, type Full, type Owner } from './fair-queue.ts'

const BOUNDS = { total: 8, perUser: 5, perAccount: 4 }
const WAITING = { total: 12, perUser: 6, perAccount: 5 }
const USERS = ['a', 'b', 'c']
const refusal = ({ scope }: Full) => new Error(scope)

interface Held {
  readonly owner: Owner
  readonly share: FairShare
  units: number
}

interface Waiting {
  readonly owner: Owner
  readonly caller: AbortController
}

/** A queue, what its users hold, and who waits, as the callers know it. */
class Model {
  readonly queue = new FairQueue({ running: BOUNDS, waiting: WAITING, refusal })
  held: Held[] = []
  waiting: Waiting[] = []

  units(of: Partial<Owner>, list: readonly { owner: Owner; units?: number }[] = this.held): number {
    return list
      .filter(({ owner }) => of.user === undefined || of.user === owner.user)
      .filter(({ owner }) => of.account === undefined || of.account === owner.account)
      .reduce((sum, { units = 1 }) => sum + units, 0)
  }

  take(owner: Owner, units: number): void {
    try {
      this.held.push({ owner, share: this.queue.take(owner, units), units })
    } catch {
      // Refused.
    }
  }

  async wait(owner: Owner): Promise<void> {
    const waiter = { owner, caller: new AbortController() }
    this.waiting.push(waiter)
    const outcome = this.queue.wait(owner, waiter.caller).then(
      (share) => this.held.push({ owner, share, units: 1 }),
      () => {},
    )
    void outcome.then(() => {
      this.waiting = this.waiting.filter((other) => other !== waiter)
    })
    await settle()
  }

  async release(index: number): Promise<void> {
    const [held] = this.held.splice(index % Math.max(1, this.held.length), 1)
    held?.share[Symbol.dispose]()
    await settle()
  }

  async cancel(index: number): Promise<void> {
    this.waiting[index % Math.max(1, this.waiting.length)]?.caller.abort(new Error('gave up'))
    await settle()
  }

  check(): void {
    expect(this.units({})).toBeLessThanOrEqual(BOUNDS.total)
    expect(this.units({}, this.waiting)).toBeLessThanOrEqual(WAITING.total)
    for (const user of USERS) {
      expect(this.units({ user })).toBeLessThanOrEqual(BOUNDS.perUser)
      expect(this.units({ user }, this.waiting)).toBeLessThanOrEqual(WAITING.perUser)
    }
    for (const { owner } of [...this.held, ...this.waiting]) {
      const { account = '' } = owner
      expect(this.units({ account })).toBeLessThanOrEqual(BOUNDS.perAccount)
      expect(this.units({ account }, this.waiting)).toBeLessThanOrEqual(WAITING.perAccount)
    }
    // No one waits for what is free.
    for (const { owner } of this.waiting) {
      expect(() => this.queue.take(owner)).toThrow(/user|account|total/)
    }
  }
}

/** Lets the promises of calls settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

const owner = fc.record({
  user: fc.constantFrom(...USERS),
  account: fc.constantFrom('x', 'y', 'z'),
})
const action = fc.oneof(
  fc.record({ kind: fc.constant('take' as const), owner, units: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('wait' as const), owner }),
  fc.record({ kind: fc.constantFrom('release' as const, 'cancel' as const), index: fc.nat(30) }),
)

test('keeps every bound, leaves no one waiting for free units, and gets all back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
      const model = new Model()
      for (const next of actions) {
        if (next.kind === 'take') model.take(next.owner, next.units)
        else if (next.kind === 'wait') await model.wait(next.owner)
        else await model[next.kind](next.index)
        model.check()
      }
      while (model.held.length > 0) await model.release(0)
      expect(model.waiting).toEqual([])
      const whole = model.queue.open({ user: 'new' })
      whole.grow(BOUNDS.perUser)
    }),
    { numRuns: rounds(300) },
  )
})

test('serves a user with nothing running, whatever another does with many accounts', async () => {
  const greedy = fc.array(fc.tuple(fc.nat(50), fc.constantFrom('take', 'wait')), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(greedy, async (calls) => {
      const model = new Model()
      for (const [account, kind] of calls) {
        const attacker = { user: 'a', account: `account-${account}` }
        if (kind === 'take') model.take(attacker, 1)
        else await model.wait(attacker)
      }
      const others = [
        model.queue.take({ user: 'b', account: 'own' }),
        await model.queue.wait({ user: 'c', account: 'own' }, new AbortController()),
      ]
      expect(others).toHaveLength(2)
    }),
    { numRuns: rounds(200) },
  )
})
