import { expect } from 'vitest'
import type { Duration } from '../kernel/calendar.ts'
import { db } from '../platform/db/db.ts'
import { leasesEnd } from './crash.ts'
import { brokenAtRest, brokenInvariants } from './invariants.ts'
import { makeProgram, type Runner, startRunner } from './processes.ts'

/**
 * Processes that are really killed, by SIGKILL, at every place at which a crash is tried. Another process finds what the dead one
 * left, and everything must be as if nobody had died.
 */

/** What goes on in a process that dies. */
interface Journey<Given extends { readonly storefrontId: string }, End> {
  /** What went well before, done by processes that live. */
  readonly begin: () => Promise<Given>
  /** An order that the process is asked to refund first, all of it. */
  readonly refund?: (given: Given) => string
  /** How far time passes in the process. */
  readonly by: Duration
  /** Of which tasks the places are tried again, though an earlier journey had them: they find another state. */
  readonly again?: RegExp | undefined
  readonly endOf: (given: Given) => Promise<End>
  readonly ends: End
}

export interface Deaths {
  /** It lives through it all, as another host would. */
  readonly survivor: Runner
  /** Points at which a process was killed. */
  readonly points: () => string[]
  /** The journey undisturbed, and then once for each of its places, with a process that dies there. */
  readonly tryAll: <Given extends { readonly storefrontId: string }, End>(journey: Journey<Given, End>) => Promise<void>
  readonly close: () => Promise<void>
}

export async function prepareDeaths(): Promise<Deaths> {
  const program = await makeProgram()
  const survivor = startRunner(program.file)
  // The next one to die: started while its predecessor does.
  let doomed = startRunner(program.file)
  const killedAt = new Set<string>()

  async function live<Given extends { readonly storefrontId: string }, End>(
    journey: Journey<Given, End>,
    place: string | null,
  ): Promise<string[]> {
    const given = await journey.begin()
    const refund = journey.refund?.(given)
    const asked = { storefrontId: given.storefrontId, ...(refund !== undefined && { refund }) }
    if (place !== null) {
      const death = doomed.die({ ...asked, by: journey.by }, place)
      doomed = startRunner(program.file)
      expect(await death).toEqual({ said: place, signal: 'SIGKILL' })
      killedAt.add(place)
      expect([place, await brokenAtRest()]).toEqual([place, {}])
      await leasesEnd()
    }
    // Whoever heard nothing asks again; a clock that was left moving is moved on.
    const { advancing_to } = await db().clocks.findUniqueOrThrow({ where: { storefront_id: given.storefrontId } })
    const { passed, remaining } = await survivor.move({ ...asked, by: advancing_to ? null : journey.by })
    expect([place, remaining]).toEqual([place, 0])
    expect([place, await journey.endOf(given)]).toEqual([place, journey.ends])
    expect([place, await brokenInvariants()]).toEqual([place, {}])
    return passed
  }

  return {
    survivor,
    points: () => [...new Set([...killedAt].map((place) => place.split(' ').at(-1) ?? ''))].sort(),
    tryAll: async (journey) => {
      const passed = new Set(await live(journey, null))
      const places = [...passed].filter((place) => !killedAt.has(place) || journey.again?.test(place))
      expect(places).not.toEqual([])
      for (const place of places) await live(journey, place)
    },
    close: async () => {
      await Promise.all([survivor.stop(), doomed.stop()])
      program.remove()
    },
  }
}
