import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { merge, startable, type Unstarted } from './next.ts'

const at = (second: number) => new Date(Date.UTC(2027, 0, 1, 0, 0, second))
/** `a1` is an event of the entity `a` with the cause `1`. `!` means that the event is not ready. */
const event = (name: string): Unstarted & { name: string } => ({
  name,
  entityId: name[0] ?? '',
  causationId: name[1] ?? '',
  runAt: at(0),
  isReady: !name.endsWith('!'),
})
const events = (names: string) => names.split(' ').filter(Boolean).map(event)

describe('first attempts', () => {
  it.each([
    ['a1 b2 c3', '', 'a1 b2 c3', 'all events, because they are unrelated'],
    ['a1 a2 c3', '', 'a1', 'events before the second event of an entity'],
    ['a1 b1 c3', '', 'a1', 'events before the second event of a cause'],
    ['a1 b2! c3', '', 'a1', 'events before an event that is not ready'],
    ['a1 b2 c3', 'b9', 'a1', 'events before an event whose entity has an attempt in progress'],
    ['a1 b2 c3', 'x3', 'a1 b2', 'events before an event whose cause has an attempt in progress'],
    ['a1', 'a9', '', 'no event, because the first event must wait'],
    ['', 'a9', '', 'no event, because no event waits'],
  ])(
    'while the events "%s" wait and the events "%s" are in progress, attempts start for "%s": %s',
    (unstarted, unanswered, expected) => {
      expect(startable(events(unstarted), events(unanswered)).map(({ name }) => name)).toEqual(
        expected.split(' ').filter(Boolean),
      )
    },
  )

  it('webhook attempts start for the oldest waiting events, at most one per entityId and at most one per causationId', () => {
    const name = fc.tuple(fc.constantFrom(...'abcdefgh'), fc.constantFrom(...'12345678')).map((both) => both.join(''))
    fc.assert(
      fc.property(fc.array(name), fc.array(name), (unstarted, unanswered) => {
        const found = startable(unstarted.map(event), unanswered.map(event)).map(({ name }) => name)
        expect(found).toEqual(unstarted.slice(0, found.length))
        for (const part of [0, 1]) {
          const parts = [...found, ...new Set(unanswered)].map((each) => each[part])
          const own = found.map((each) => each[part])
          for (const each of own) expect(parts.filter((other) => other === each).length).toBe(1)
        }
      }),
    )
  })
})

describe('order of attempts', () => {
  const due = (name: string, second: number) => ({ name, runAt: at(second) })

  it('free attempt slots go to the webhook attempts with the earliest due times, whether first attempts or retries', () => {
    const first = [due('a', 2), due('b', 5)]
    const retries = [due('x', 1), due('y', 3), due('z', 9)]
    expect(merge(first, retries, 4).map(({ name }) => name)).toEqual(['x', 'a', 'y', 'b'])
    expect(merge(first, [], 4)).toEqual(first)
    expect(merge([], retries, 2)).toEqual(retries.slice(0, 2))
    expect(merge(first, retries, 0)).toEqual([])
  })

  it('first webhook attempts start in the order of their events, even if the attempt for a later event was due earlier', () => {
    expect(merge([due('a', 7), due('b', 1)], [due('x', 3)], 3).map(({ name }) => name)).toEqual(['x', 'a', 'b'])
  })
})
