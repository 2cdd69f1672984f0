import { describe, expect, test } from 'vitest'

import { FairQueue, type Full } from './fair-queue.ts'

const never = { signal: new AbortController().signal }

class Refused extends Error {
  readonly full: Full

  constructor(full: Full) {
    super(`${full.scope} ${full.isWaiting ? 'waiting' : 'running'} ${full.limit}`)
    this.full = full
  }
}

const refusal = (full: Full) => new Refused(full)

function messageOf(work: () => unknown): string {
  try {
    work()
    return 'taken'
  } catch (error) {
    return error instanceof Refused ? error.message : String(error)
  }
}

describe('take', () => {
  test('is bounded per user, per account and in total, and frees units', () => {
    const queue = new FairQueue({ running: { total: 6, perUser: 2, perAccount: 3 }, refusal })
    const first = queue.take({ user: 'a', account: 'x' })
    queue.take({ user: 'a', account: 'x' })
    expect(messageOf(() => queue.take({ user: 'a', account: 'y' }))).toBe('user running 2')
    queue.take({ user: 'b', account: 'x' })
    expect(messageOf(() => queue.take({ user: 'b', account: 'x' }))).toBe('account running 3')
    queue.take({ user: 'c', account: 'y' }, 2)
    queue.take({ user: 'd' })
    expect(messageOf(() => queue.take({ user: 'e' }))).toBe('total running 6')
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    queue.take({ user: 'e' })
    expect(messageOf(() => queue.take({ user: 'f' }))).toBe('total running 6')
  })

  test('keeps a quarter of the total for users with nothing else running', () => {
    const queue = new FairQueue({ running: { total: 8, perUser: 6, perAccount: 8 }, refusal })
    const greedy = Array.from({ length: 6 }, () => queue.take({ user: 'greedy' }))
    const late = queue.take({ user: 'late' })
    expect(messageOf(() => queue.take({ user: 'late' }))).toBe('total running 6')
    late.grow(1)
    greedy[0]?.[Symbol.dispose]()
    greedy[1]?.[Symbol.dispose]()
    greedy[2]?.[Symbol.dispose]()
    queue.take({ user: 'late' })
  })
})

describe('a share', () => {
  test('grows by the units that arrive, and shrinks to those still needed', () => {
    const queue = new FairQueue({ running: { total: 100, perUser: 50, perAccount: 40 }, refusal })
    const [one, two] = [queue.open({ user: 'a', account: 'x' }), queue.open({ user: 'a' })]
    one.grow(30)
    two.grow(15)
    expect(messageOf(() => one.grow(6))).toBe('user running 50')
    two[Symbol.dispose]()
    expect(messageOf(() => one.grow(11))).toBe('account running 40')
    one.grow(10)
    one.shrinkTo(5)
    one.shrinkTo(10)
    one.grow(35)
    expect(messageOf(() => one.grow(1))).toBe('account running 40')
  })
})

/** Starts a waiter for each owner; `served` lists them, as `user/account`, in their order. */
function startWaiters(queue: FairQueue, names: readonly string[]) {
  const served: string[] = []
  const shares = names.map(async (name) => {
    const [user = '', account] = name.split('/')
    const share = await queue.wait({ user, account }, never)
    served.push(name)
    return share
  })
  const end = async (index: number): Promise<void> => {
    const share = await shares[index]
    share?.[Symbol.dispose]()
    await Promise.resolve().then(() => {})
  }
  return { served, end }
}

describe('wait', () => {
  const waiting = { total: 100, perUser: 100, perAccount: 100 }

  test('serves users with nothing running first, then users and accounts in turn', async () => {
    const running = { total: 1, perUser: 1, perAccount: 1 }
    const queue = new FairQueue({ running, waiting, refusal })
    const names = ['z/0', 'a/1', 'a/1', 'a/1', 'a/2', 'b/3', 'b/3']
    const { served, end } = startWaiters(queue, names)
    for (const index of [0, 1, 5, 4, 6, 2, 3]) await end(index)
    expect(served).toEqual(['z/0', 'a/1', 'b/3', 'a/2', 'b/3', 'a/1', 'a/1'])
  })

  test('passes over users who have reached their bound', async () => {
    const running = { total: 3, perUser: 2, perAccount: 3 }
    const queue = new FairQueue({ running, waiting, refusal })
    const { served, end } = startWaiters(queue, ['a', 'a', 'a', 'a', 'b'])
    await Promise.resolve()
    expect(served).toEqual(['a', 'a', 'b'])
    await end(4)
    expect(served).toHaveLength(3)
    await end(0)
    expect(served).toHaveLength(4)
  })

  test('serves the next call without looking at those of other users', async () => {
    const running = { total: 1, perUser: 1, perAccount: 1 }
    const many = { total: Infinity, perUser: Infinity, perAccount: Infinity }
    const queue = new FairQueue({ running, waiting: many, refusal })
    let reads = 0
    const calls = Array.from({ length: 10_000 }, async (_, index) => {
      const owner = {
        get user() {
          reads += 1
          return `user-${index % 1_000}`
        },
        account: `account-${index % 3_000}`,
      }
      using _share = await queue.wait(owner, new AbortController())
    })
    await Promise.all(calls)
    expect(reads / calls.length).toBeLessThan(40)
  })

  test('rejects when too many wait, of a user, of an account or in total', async () => {
    const running = { total: 1, perUser: 1, perAccount: 1 }
    const few = { total: 8, perUser: 2, perAccount: 3 }
    const queue = new FairQueue({ running, waiting: few, refusal })
    const wait = (user: string, account?: string) => queue.wait({ user, account }, never)
    await wait('a')
    for (const [user, account] of ['ax', 'ax', 'bx'] as const) void wait(user ?? '', account)
    await expect(wait('a', 'x')).rejects.toThrow('user waiting 2')
    await expect(wait('b', 'x')).rejects.toThrow('account waiting 3')
    for (const user of ['c', 'd', 'e']) void wait(user)
    await expect(wait('b')).rejects.toThrow('total waiting 6')
    for (const user of ['f', 'g']) void wait(user)
    await expect(wait('h')).rejects.toThrow('total waiting 8')
  })

  test('serves others before a user who was charged, until the time is over', async () => {
    const running = { total: 8, perUser: 4, perAccount: 8 }
    const queue = new FairQueue({ running, waiting, refusal })
    const first = await queue.wait({ user: 'a' }, never)
    queue.charge({ user: 'a' }, 3_600_000)
    queue.charge({ user: 'c' }, 1)
    queue.charge({ user: 'c' }, 1)
    const { served } = startWaiters(queue, ['a', 'c', 'b', 'a'])
    first[Symbol.dispose]()
    await queue.wait({ user: 'c' }, never)
    expect(served).toEqual(['b', 'c'])
  })

  test('forgets a call that is cancelled while it waits', async () => {
    const running = { total: 1, perUser: 1, perAccount: 1 }
    const queue = new FairQueue({ running, waiting, refusal })
    const first = await queue.wait({ user: 'a' }, never)
    const caller = new AbortController()
    const cancelled = queue.wait({ user: 'b' }, caller)
    const next = queue.wait({ user: 'c' }, never)
    caller.abort(new Error('gave up'))
    await expect(cancelled).rejects.toThrow('gave up')
    first[Symbol.dispose]()
    await next
    const late = { signal: AbortSignal.abort(new Error('too late')) }
    await expect(queue.wait({ user: 'd' }, late)).rejects.toThrow('too late')
  })
})
