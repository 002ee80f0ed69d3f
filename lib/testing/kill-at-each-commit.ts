import { describe, expect, it } from 'vitest'
import { db } from '../platform/db/db.ts'
import { decisive, expireLeases, killedAt } from './crash.ts'
import { brokenAtRest, brokenInvariants } from './invariants.ts'
import { runDueTasks } from './shop.ts'

/**
 * Requests to the service, killed at every query at which it makes a difference (see `decisive`). A caller without a
 * response repeats the request: a merchant's program with the same idempotency key, an operator after a check whether
 * it took effect. The end must be the same as without a crash.
 */
export interface Journey<World, End, Given = unknown> {
  /** The steps before the killed part. */
  readonly begin: (world: World) => Promise<Given>
  readonly killed: (world: World, given: Given) => Promise<unknown>
  readonly ends: End
}

interface Worlds<World, End> {
  readonly begin: () => Promise<World>
  /** The visible state in the end, to be the same as `ends`. */
  readonly endOf: (world: World) => Promise<unknown>
  readonly whole: (ends: End) => unknown
  /** The least number of places at which each journey can die. */
  readonly places: number
}

/** Tests of journeys, each killed before and after each of its commits, each time on new data. */
export function testKillAtEachCommit<World, End>(
  journeys: Readonly<Record<string, Journey<World, End>>>,
  { begin, endOf, whole, places }: Worlds<World, End>,
): void {
  /** Returns whether it reached the n-th place. */
  async function killedIn(journey: Journey<World, End>, n: number, moment: 'before' | 'after') {
    const place = `${moment} ${n}`
    const world = await begin()
    const given = await journey.begin(world)
    const died = await killedAt(n, moment, () => journey.killed(world, given), decisive())
    expect([place, await brokenAtRest()]).toEqual([place, {}])
    if (died) {
      await expireLeases()
      // Either the caller or the timers come first.
      if (n % 2) await runDueTasks()
      await journey.killed(world, given)
      await runDueTasks()
    }
    expect([place, await endOf(world)]).toEqual([place, whole(journey.ends)])
    expect([place, await brokenInvariants()]).toEqual([place, {}])
    expect([place, await db().tasks.findMany({ where: { last_error: { not: null } } })]).toEqual([place, []])
    return died
  }

  describe('killed', () => {
    it.each(Object.entries(journeys).flatMap((each) => [['before', ...each] as const, ['after', ...each] as const]))(
      '%s each of its commits, %s comes about once',
      async (moment, _name, journey) => {
        let n = 1
        while (await killedIn(journey, n, moment)) n++
        expect(n).toBeGreaterThan(places)
      },
    )
  })
}
