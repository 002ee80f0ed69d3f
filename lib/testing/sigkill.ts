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
 * Kills processes with SIGKILL. The long form of the fault tests kills at every failpoint, the short form once per
 * state that a kill can leave. Another process then continues, and the end state must be the same as without a crash.
 */

interface Journey<Given extends { readonly storefrontId: string }, End> {
  readonly begin: () => Promise<Given>
  readonly refund?: (given: Given) => string
  readonly by: Duration
  /** Tasks that are also killed at places of an earlier journey, because they find another state. */
  readonly again?: RegExp | undefined
  readonly endOf: (given: Given) => Promise<End>
  readonly ends: End
}

export interface KillHarness {
  /** A process that survives throughout, like a process on another host. */
  readonly survivor: Runner
  /** A process was killed at each of these failpoints, or in the state that a kill there leaves. */
  readonly points: () => string[]
  /** Runs the journey undisturbed, and then once for each place (or state) with a process that is killed there. */
  readonly killAtEachPlace: <Given extends { readonly storefrontId: string }, End>(
    journey: Journey<Given, End>,
  ) => Promise<void>
  readonly close: () => Promise<void>
}

/** Steps whose effects survive a kill: a commit, the claim of a task, a call to a provider. */
const lasting = /.* (?:task\.begun|transaction\.committed|\w+\.after_provider)(?= |$)/

/** Of the places that leave the same state, keeps the last: everything after the last lasting step rolls back. */
function oneForEachState(places: readonly string[]): string[] {
  const state = (place: string) => lasting.exec(place)?.[0]
  return places.filter(
    (place) => !places.some((other) => other.startsWith(`${place} `) && state(other) === state(place)),
  )
}

/** `receiver` gets the webhooks of the journeys. It is emptied before each place. */
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
    // A caller without a response repeats its request. An unfinished advance of the clock is continued.
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
