import { describe, expect, expectTypeOf, test } from 'vitest'
import { machine, type StateOf } from './machine.ts'
import { Refusal } from './refusal.ts'

const doors = machine({
  closed: { open: 'opened', lock: 'locked' },
  opened: { close: 'closed', remove: 'gone' },
  locked: { unlock: 'closed' },
  gone: {},
})

describe('a state machine', () => {
  test('a transition returns the target state in the table of the machine', () => {
    const next = doors.on('closed', 'open')
    expect(next).toBe('opened')
    expectTypeOf(next).toEqualTypeOf<'opened'>()
    expectTypeOf<StateOf<typeof doors>>().toEqualTypeOf<'closed' | 'opened' | 'locked' | 'gone'>()
    expect(doors.can('closed', 'lock')).toBe(true)
  })

  test('a transition missing from the table is refused with the caller’s code', () => {
    expect(doors.can('gone', 'open')).toBe(false)
    expect(() => doors.on('locked', 'open', 'illegal_move')).toThrow(new Refusal('illegal_move'))
  })

  test('a transition missing from the table without a code throws a bug, not a refusal', () => {
    const move = () => doors.on('locked', 'open')
    expect(move).toThrow(new Error("no transition 'open' from 'locked'"))
    expect(move).not.toThrow(Refusal)
  })

  test('a misspelled state or transition does not compile', () => {
    // @ts-expect-error no such target
    machine({ closed: { open: 'opend' }, opened: {} })
    // @ts-expect-error no such state
    expect(doors.can('closd', 'open')).toBe(false)
    // @ts-expect-error no such trigger
    expect(doors.can('closed', 'opn')).toBe(false)
    // @ts-expect-error no such code
    expect(() => doors.on('gone', 'open', 'ilegal_move')).toThrow()
  })

  test('a state machine ignores names that every object inherits', () => {
    // @ts-expect-error no such trigger
    expect(doors.can('gone', 'constructor')).toBe(false)
  })

  test('a state machine lists its states, transitions and final states', () => {
    expect(doors.states).toEqual(['closed', 'opened', 'locked', 'gone'])
    expect(doors.states.filter((state) => doors.isFinal(state))).toEqual(['gone'])
    expect(doors.transitions()).toEqual([
      { from: 'closed', trigger: 'open', to: 'opened' },
      { from: 'closed', trigger: 'lock', to: 'locked' },
      { from: 'opened', trigger: 'close', to: 'closed' },
      { from: 'opened', trigger: 'remove', to: 'gone' },
      { from: 'locked', trigger: 'unlock', to: 'closed' },
    ])
  })

  test('a state machine lists its reachable states', () => {
    expect(doors.reachableFrom('locked')).toEqual(new Set(['locked', 'closed', 'opened', 'gone']))
    expect(doors.reachableFrom('gone')).toEqual(new Set(['gone']))
    const island = machine({ start: { go: 'end' }, end: {}, nowhere: { go: 'end' } })
    expect(island.reachableFrom('start').has('nowhere')).toBe(false)
  })
})
