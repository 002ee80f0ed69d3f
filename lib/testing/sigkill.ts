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
 * Processes that are killed by SIGKILL: in the long form of the tests of faults at every failpoint, and in the short one
 * once in each state that a kill can leave. Another process finds that state, and the end must be the same as without a
 * crash.
 */

/** What a process is doing when it is killed. */
interface Journey<Given extends { readonly storefrontId: string }, End> {
  /** The steps before, done once, by processes that survive. */
  readonly begin: () => Promise<Given>
  /** An order that the process refunds first, in full. */
  readonly refund?: (given: Given) => string
  /** How far time passes in the process. */
  readonly by: Duration
  /** Tasks that are killed at the same places as in an earlier journey, because they find another state. */
  readonly again?: RegExp | undefined
  readonly endOf: (given: Given) => Promise<End>
  readonly ends: End
}

export interface KillHarness {
  /** It survives throughout, like a process on another host. */
  readonly survivor: Runner
  /** Points that the journeys passed: at each, or in the state that a kill there would leave, a process was killed. */
  readonly points: () => string[]
  /** Runs the journey undisturbed, and then once for each of its places (or states), with a process that is killed there. */
  readonly killAtEachPlace: <Given extends { readonly storefrontId: string }, End>(
    journey: Journey<Given, End>,
  ) => Promise<void>
  readonly close: () => Promise<void>
}

/** What outlasts a kill happened before these: a commit, the claim of a task, a call to a provider. */
const lasting = /.* (?:task\.begun|transaction\.committed|\w+\.after_provider)(?= |$)/

/**
 * Of places that leave the same state, the last: nearest to the commit that did not come about. What came after the last
 * lasting step of its way was in a transaction that is rolled back.
 */
function oneForEachState(places: readonly string[]): string[] {
  const state = (place: string) => lasting.exec(place)?.[0]
  return places.filter(
    (place) => !places.some((other) => other.startsWith(`${place} `) && state(other) === state(place)),
  )
}

/** `receiver` gets the webhooks of the journeys. It forgets those of one place before the next one. */
export async function startKillHarness(receiver: Pick<Receiver, 'requests'>): Promise<KillHarness> {
  const program = await makeProgram()
  const survivor = startRunner(program.file)
  // The next process to be killed, started while its predecessor ends.
  let victim = startRunner(program.file)
  const tried = new Set<string>()

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
    // A caller without a response repeats its request; an unfinished advance of the clock is continued.
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
      for (const place of isLongForm ? places : oneForEachState(places)) {
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
