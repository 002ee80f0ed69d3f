import { expect } from 'vitest'
import type { Duration } from '../kernel/calendar.ts'
import { db } from '../platform/db/db.ts'
import { isLongForm } from './amount.ts'
import { expireLeases } from './crash.ts'
import { takeSnapshot } from './database-snapshot.ts'
import { brokenAtRest, brokenInvariants } from './invariants.ts'
import { makeProgram, type Runner, startRunner } from './processes.ts'
import type { Receiver } from './receiver.ts'

/**
 * This file kills processes with SIGKILL. The long form of the fault tests kills a process at every failpoint. The
 * short form kills one process for each state that a kill can leave, and only one process whose kill loses nothing but a
 * lease. Another process then continues, and the final state must be the same as without a kill.
 */

interface Journey<Given extends { readonly storefrontId: string }, End> {
  readonly begin: () => Promise<Given>
  readonly refund?: (given: Given) => string
  readonly by: Duration
  /**
   * Matches failpoints at which an earlier journey already killed a process. This journey kills a process there
   * again, because its tasks are in another state.
   */
  readonly again?: RegExp | undefined
  readonly endOf: (given: Given) => Promise<End>
  readonly ends: End
}

export interface KillHarness {
  readonly survivor: Runner
  /** The failpoints at which a process was killed, including failpoints where a kill leaves the same state. */
  readonly points: () => string[]
  readonly killAtEachPlace: <Given extends { readonly storefrontId: string }, End>(
    journey: Journey<Given, End>,
  ) => Promise<void>
  readonly close: () => Promise<void>
}

/** Steps whose effects survive a kill: a commit, a claimed task, or a call to a provider. */
const lasting = /.* (?:task\.begun|transaction\.committed|\w+\.after_provider)(?= |$)/

/** Effects that survive a kill. A task that is killed before its first effect loses only its lease. */
const effect = / (?:transaction\.committed|\w+\.after_provider)(?= |$)/

/**
 * Returns one place (a list of failpoints, see `Moved`) for each state that a kill can leave. A kill rolls back
 * everything after the last lasting step, so kills at several places leave the same state. Keeps only the last of these
 * places.
 */
function oneForEachState(places: readonly string[]): string[] {
  const state = (place: string) => lasting.exec(place)?.[0]
  return places.filter(
    (place) => !places.some((other) => other.startsWith(`${place} `) && state(other) === state(place)),
  )
}

export async function startKillHarness(receiver: Pick<Receiver, 'requests'>): Promise<KillHarness> {
  const program = await makeProgram()
  const survivor = startRunner(program.file)
  // The next process to kill. It starts while its predecessor ends, to save time.
  let victim = startRunner(program.file)
  const tried = new Set<string>()
  let isLeaseTried = false

  /**
   * Returns true for each place after an effect of a task. Of the places before any effect, returns true only for the
   * first, because a kill at any of these places loses only a lease.
   */
  const isNewState = (place: string): boolean => {
    if (effect.test(place)) return true
    const isFirst = !isLeaseTried
    isLeaseTried = true
    return isFirst
  }

  async function runJourney<Given extends { readonly storefrontId: string }, End>(
    journey: Journey<Given, End>,
    given: Given,
    place: string | null,
  ): Promise<string[]> {
    const refund = journey.refund?.(given)
    const asked = { storefrontId: given.storefrontId, ...(refund !== undefined && { refund }) }
    if (place !== null) {
      const killed = victim.killAt({ ...asked, by: journey.by }, place)
      victim = startRunner(program.file)
      await killed
      expect([place, await brokenAtRest()]).toEqual([place, {}])
      await expireLeases()
    }
    // Continues the advance of the clock if the killed process left it unfinished. Otherwise requests the advance
    // again, as a caller does that got no response.
    const { advancing_to } = await db().clocks.findUniqueOrThrow({ where: { storefront_id: given.storefrontId } })
    const { passed, remaining } = await survivor.move({ ...asked, by: advancing_to ? null : journey.by })
    expect([place, remaining]).toEqual([place, 0])
    expect([place, await journey.endOf(given)]).toEqual([place, journey.ends])
    expect([place, await brokenInvariants()]).toEqual([place, {}])
    return passed
  }

  return {
    survivor,
    points: () => [...new Set([...tried].map((place) => place.split(' ').at(-1) ?? ''))].sort(),
    killAtEachPlace: async (journey) => {
      const given = await journey.begin()
      const restore = await takeSnapshot()
      const received = receiver.requests.length
      const passed = new Set(await runJourney(journey, given, null))
      const places = [...passed].filter((place) => !tried.has(place) || journey.again?.test(place))
      expect(places).not.toEqual([])
      for (const place of isLongForm ? places : oneForEachState(places).filter(isNewState)) {
        await restore()
        receiver.requests.length = received
        await runJourney(journey, given, place)
      }
      for (const place of places) tried.add(place)
    },
    close: async () => {
      await Promise.all([survivor.stop(), victim.stop()])
      program.remove()
    },
  }
}
