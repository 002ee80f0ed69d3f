import { describe, expect, it } from 'vitest'
import { type Entry, hashedText } from './entry.ts'

const entry: Entry = {
  seq: 7n,
  at: new Date('2026-11-20T10:00:00.123Z'),
  actor: { kind: 'operator', id: 'operator_1', address: '203.0.113.9' },
  action: 'review.approve',
  subject: 'subscription_plan_1',
  before: { review: 'reviewing', price: { value: '1.00', currency: 'EUR' } },
  after: { review: null },
}

describe('hashed text', () => {
  it('the hashed text of an audit entry contains every value and the previous hash', () => {
    expect(hashedText(entry, 'ab')).toBe(
      '["ab","7","2026-11-20T10:00:00.123Z","operator","operator_1","203.0.113.9","review.approve","subscription_plan_1",' +
        '{"price":{"currency":"EUR","value":"1.00"},"review":"reviewing"},{"review":null}]',
    )
  })

  it('the hashed text of an audit entry does not depend on the order of fields', () => {
    const before = { price: { currency: 'EUR', value: '1.00' }, review: 'reviewing' }
    expect(hashedText({ ...entry, before }, 'ab')).toBe(hashedText(entry, 'ab'))
  })

  it.each([
    [{ a: 1 }, [['a', 1]]],
    [{}, []],
    [{ a: null }, {}],
    [{ a: '1' }, { a: 1 }],
    [[null], [[]]],
    [['a', 'b'], ['a","b']],
    [null, 'null'],
    [{ a: { b: 1 } }, { a: [['b', 1]] }],
  ])('audit entries with the values %j and %j have different hashed texts', (one, other) => {
    expect(hashedText({ ...entry, before: one }, 'ab')).not.toBe(hashedText({ ...entry, before: other }, 'ab'))
    expect(hashedText({ ...entry, before: one, after: other }, 'ab')).not.toBe(
      hashedText({ ...entry, before: other, after: one }, 'ab'),
    )
  })

  it.each(
    Object.entries({
      seq: 8n,
      at: new Date('2026-11-20T10:00:00.124Z'),
      action: 'review.reject',
      subject: 'subscription_plan_2',
      before: null,
      after: { review: 'pending' },
    }),
  )('the hashed text of an audit entry contains the field %s', (field, value) => {
    expect(hashedText({ ...entry, [field]: value }, 'ab')).not.toBe(hashedText(entry, 'ab'))
  })

  it.each(Object.entries({ kind: 'cli', id: 'operator_2', address: null }))(
    'the hashed text of an audit entry contains the %s of the actor',
    (field, value) => {
      const actor = { ...entry.actor, [field]: value }
      expect(hashedText({ ...entry, actor }, 'ab')).not.toBe(hashedText(entry, 'ab'))
    },
  )
})
