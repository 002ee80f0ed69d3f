import { beforeAll, describe, expect, it } from 'vitest'
import { db } from '../platform/db/db.ts'
import { decisive, expireLeases, killedAt, type Moment, moments } from './crash.ts'
import { takeSnapshot } from './database-snapshot.ts'
import { brokenAtRest, brokenInvariants } from './invariants.ts'
import { runDueTasks } from './shop.ts'

/**
 * A request whose process crashes at one decisive query in each run (see `decisive`). After the crash, the caller
 * repeats the request, and the final state must be the same as without a crash.
 */
export interface Journey<World, End, Given = unknown> {
  readonly begin: (world: World) => Promise<Given>
  readonly killed: (world: World, given: Given) => Promise<unknown>
  readonly ends: End
}

interface Worlds<World, End> {
  readonly begin: () => Promise<World>
  readonly endOf: (world: World) => Promise<unknown>
  readonly whole: (ends: End) => unknown
  readonly places: number
}

/**
 * Declares the tests of the journeys. All journeys start from the same world, and every run of a journey starts from the
 * same state. In each run, the process crashes after one decisive query. The long form adds runs in which the process
 * crashes before the query.
 */
export function testKillAtEachCommit<World, End>(
  journeys: Readonly<Record<string, Journey<World, End>>>,
  { begin, endOf, whole, places }: Worlds<World, End>,
): void {
  interface Begun {
    readonly world: World
    readonly given: unknown
    readonly restore: () => Promise<void>
  }

  async function killedIn(journey: Journey<World, End>, { world, given, restore }: Begun, n: number, moment: Moment) {
    const place = `${moment} ${n}`
    await restore()
    const died = await killedAt(n, moment, () => journey.killed(world, given), decisive())
    expect([place, await brokenAtRest()]).toEqual([place, {}])
    if (died) {
      await expireLeases()
      // Every second run executes the due tasks before the caller retries, so that both orders are tested.
      if (n % 2) await runDueTasks()
      await journey.killed(world, given)
      await runDueTasks()
    }
    expect([place, await endOf(world)]).toEqual([place, whole(journey.ends)])
    expect([place, await brokenInvariants()]).toEqual([place, {}])
    expect([place, await db().tasks.findMany({ where: { last_error: { not: null } } })]).toEqual([place, []])
    return died
  }

  let shared: { readonly world: World; readonly restore: () => Promise<void> } | undefined

  describe.each(Object.entries(journeys))('%s in a process that crashes', (_name, journey) => {
    let begun: Begun
    beforeAll(async () => {
      shared ??= { world: await begin(), restore: await takeSnapshot() }
      await shared.restore()
      const { world } = shared
      begun = { world, given: await journey.begin(world), restore: await takeSnapshot() }
    })

    it.each(moments)('the operation takes effect once if the process crashes %s each commit', async (moment) => {
      let n = 1
      while (await killedIn(journey, begun, n, moment)) n++
      expect(n).toBeGreaterThan(places)
    })
  })
}
