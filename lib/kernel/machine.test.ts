import { describe, expect, expectTypeOf, test } from 'vitest'
import { machine, type StateOf } from './machine.ts'
import { Refusal } from './refusal.ts'

const doors = machine({
  closed: { open: 'opened', lock: 'locked' },
  opened: { close: 'closed', remove: 'gone' },
  locked: { unlock: 'closed' },
  gone: {},
})

describe('state machines', () => {
  test('a transition of a state machine returns the target state', () => {
    const next = doors.on('closed', 'open')
    expect(next).toBe('opened')
    expectTypeOf(next).toEqualTypeOf<'opened'>()
    expectTypeOf<StateOf<typeof doors>>().toEqualTypeOf<'closed' | 'opened' | 'locked' | 'gone'>()
    expect(doors.can('closed', 'lock')).toBe(true)
  })

  test('a missing transition with an error code throws a Refusal with that code', () => {
    expect(doors.can('gone', 'open')).toBe(false)
    expect(() => doors.on('locked', 'open', 'illegal_move')).toThrow(new Refusal('illegal_move'))
  })

  test('a missing transition without an error code throws a plain Error', () => {
    const move = () => doors.on('locked', 'open')
    expect(move).toThrow(new Error("no transition 'open' from 'locked'"))
    expect(move).not.toThrow(Refusal)
  })

  test('a misspelled state or trigger of a state machine does not compile', () => {
    // @ts-expect-error no such target
    machine({ closed: { open: 'opend' }, opened: {} })
    // @ts-expect-error no such state
    expect(doors.can('closd', 'open')).toBe(false)
    // @ts-expect-error no such trigger
    expect(doors.can('closed', 'opn')).toBe(false)
    // @ts-expect-error no such code
    expect(() => doors.on('gone', 'open', 'ilegal_move')).toThrow()
  })

  test('a state machine has no trigger for inherited property names', () => {
    // @ts-expect-error no such trigger
    expect(doors.can('gone', 'constructor')).toBe(false)
  })

  test('a state machine lists its states, transitions, and final states', () => {
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
