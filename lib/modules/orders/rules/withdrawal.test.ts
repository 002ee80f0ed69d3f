import { describe, expect, it } from 'vitest'
import { dayAfter } from '../../../kernel/calendar.ts'
import {
  chosenLines,
  declarableUntil,
  isPossible,
  isWithdrawable,
  lastWithdrawalDay,
  subtotalOfUnits,
  withdrawalOf,
  withdrawalState,
} from './withdrawal.ts'

const service = { kind: 'service', beginsAtOnce: true } as const
const [ebook, saas] = [{ productType: 'ebook' }, { productType: 'saas' }]

describe('the right of withdrawal', () => {
  it.each([
    [[ebook], 'DE', 'none', 'digital_content'],
    [[saas], 'DE', 'none', 'service'],
    [[saas, saas], 'PL', 'none', 'service'],
    [[ebook, saas], 'NL', 'none', 'mixed'],
    [[ebook], 'NO', 'none', 'digital_content'],
    [[ebook], 'IS', 'not_confirmed', 'digital_content'],
    [[ebook], 'RE', 'none', 'digital_content'],
    [[saas], 'GP', 'none', 'service'],
    [[saas], 'MQ', 'none', 'service'],
    [[saas], 'GF', 'none', 'service'],
    [[saas], 'YT', 'none', 'service'],
    [[saas], 'MF', 'none', 'service'],
    [[saas], 'AX', 'none', 'service'],
    [[saas], 'BL', 'none', null],
    [[saas], 'PF', 'none', null],
    [[saas], 'SJ', 'none', null],
    [[ebook], 'DE', 'reverse_charge', null],
    [[ebook], 'NL', 'domestic', null],
    [[ebook], 'CH', 'none', null],
    [[ebook], 'GB', 'none', null],
    [[ebook], 'US', 'none', null],
    [[ebook], '', 'none', null],
  ] as const)('for %j in %s with a tax ID that is %s: %s', (lines, country, taxId, kind) => {
    expect(withdrawalOf(lines, { country, taxId })).toBe(kind)
  })

  it.each('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '))(
    'the right of withdrawal applies in %s, which is in the European Economic Area',
    (country) => {
      expect(withdrawalOf([saas], { country, taxId: 'none' })).toBe('service')
    },
  )

  it.each([
    ['in UTC without a known time zone', '2027-02-20T23:30:00Z', null, '2027-03-06'],
    ['in a time zone where it is already the next day', '2027-02-20T23:30:00Z', 'Europe/Warsaw', '2027-03-07'],
    ['in a time zone where it is still the day before', '2027-02-20T00:30:00Z', 'Atlantic/Azores', '2027-03-05'],
    ['counted in days, when the clocks go back', '2027-10-19T22:30:00Z', 'Europe/Berlin', '2027-11-03'],
    ['counted in days, when the clocks go forward', '2027-03-20T22:30:00Z', 'Europe/Berlin', '2027-04-03'],
  ])('the right of withdrawal ends on the 14th day after the payment, %s', (_, paidAt, timeZone, day) => {
    const order = { withdrawal: service, paidAt: new Date(paidAt) }
    expect(lastWithdrawalDay(order, timeZone)).toBe(day)
    expect(lastWithdrawalDay({ ...order, paidAt: null }, timeZone)).toBeNull()
    expect(lastWithdrawalDay({ ...order, withdrawal: null }, timeZone)).toBeNull()
  })

  it.each(['Europe/Bucharest', 'Atlantic/Azores', 'UTC', 'Pacific/Auckland', 'America/Los_Angeles'])(
    'the page accepts a withdrawal until the end of the stated day in %s, for every time of payment',
    (timeZone) => {
      for (let hour = 0; hour < 366 * 24; hour += 5) {
        const paidAt = new Date(Date.UTC(2027, 0, 1, hour))
        const order = { withdrawal: service, paidAt }
        const end = dayAfter(new Date((declarableUntil(order, timeZone)?.getTime() ?? 0) - 1), 0, timeZone)
        expect(end >= (lastWithdrawalDay(order, timeZone) ?? '')).toBe(true)
      }
    },
  )
})

describe('a declaration of withdrawal', () => {
  it.each([
    ['whose last day is a weekday, until that day ends in the west', '2027-02-22T10:00:00Z', '2027-03-09T04:00:00Z'],
    ['in the evening, when the next day has begun in the east', '2027-02-22T20:00:00Z', '2027-03-10T04:00:00Z'],
    ['whose last day is a Saturday, until Monday', '2027-02-20T10:00:00Z', '2027-03-09T04:00:00Z'],
    ['whose last day is a Sunday, until Monday', '2027-02-21T10:00:00Z', '2027-03-09T04:00:00Z'],
    ['whose last day is a Friday, until that Friday', '2027-02-19T10:00:00Z', '2027-03-06T04:00:00Z'],
  ])('a withdrawal is accepted after a payment %s', (_, paidAt, until) => {
    const order = { withdrawal: service, paidAt: new Date(paidAt) }
    expect(declarableUntil(order, null)).toEqual(new Date(until))
  })

  const paidAt = new Date('2027-02-22T10:00:00Z')
  const [inTime, late] = ['2027-03-09T03:59:59Z', '2027-03-09T04:00:00Z']
  it.each([
    ['open', { isDeclared: false, isLeft: true }, inTime],
    ['open', { isDeclared: true, isLeft: true }, inTime],
    ['over', { isDeclared: false, isLeft: true }, late],
    ['declared', { isDeclared: true, isLeft: true }, late],
    ['declared', { isDeclared: true, isLeft: false }, inTime],
    ['lost', { isDeclared: false, isLeft: false }, inTime],
    ['lost', { isDeclared: false, isLeft: false }, late],
  ] as const)('the right of withdrawal is %s for %j at %s', (state, lines, now) => {
    const at = { ...lines, timeZone: null, now: new Date(now) }
    expect(withdrawalState({ withdrawal: service, paidAt }, at)).toBe(state)
    expect(withdrawalState({ withdrawal: service, paidAt: null }, at)).toBeNull()
    expect(withdrawalState({ withdrawal: null, paidAt }, at)).toBeNull()
  })

  const left = (position: number, count = 3) => ({ position, quantity: 3, left: count })
  const declared = (position: number) => left(position, 0)
  const named = (position: number, quantity: number | null = null, shown: number | null = null) => ({
    position,
    quantity,
    left: shown,
  })
  it.each([
    ['the only line, also without a name', [left(0)], [], [0]],
    ['the only line by its name', [left(0)], [0], [0]],
    ['no line of several without names', [left(0), left(1)], [], []],
    ['the named lines of several', [left(0), left(1), left(2)], [2, 0], [0, 2]],
    ['no line with an earlier declaration', [declared(0), left(1)], [0], []],
    ['the named lines without an earlier declaration', [declared(0), left(1)], [0, 1], [1]],
    ['not the last line left, without a name', [declared(0), left(1)], [], []],
    ['no line outside the contract', [left(0), left(2)], [1, 7], []],
  ])('a withdrawal covers %s', (_, lines, positionsNamed, positions) => {
    const chosen = chosenLines(
      lines,
      positionsNamed.map((position) => named(position)),
    )
    expect(chosen.map(({ position }) => position)).toEqual(positions)
    expect(chosen.every((line) => line.chosen === line.left)).toBe(true)
  })

  it.each([
    ['all units left of a line with an earlier declaration', left(0, 2), named(0, null, 2), 2],
    ['the named number of units', left(0), named(0, 1, 3), 1],
    ['the named number of the units left', left(0, 2), named(0, 1, 2), 1],
    ['no unit, if the form was displayed before another declaration', left(0, 2), named(0, 1, 3), undefined],
    ['no unit, if a form without quantities was displayed before one', left(0, 2), named(0), undefined],
    ['no unit, if no unit is left', left(0, 0), named(0, 1, 0), undefined],
    ['the typed number, also if it is not possible', left(0), named(0, 4, 3), 4],
  ])('a withdrawal from a line covers %s', (_, line, name, chosen) => {
    expect(chosenLines([line], [name])[0]?.chosen).toBe(chosen)
  })

  it.each([
    [1, true],
    [3, true],
    [0, false],
    [4, false],
    [1.5, false],
    [Number.NaN, false],
  ])('a withdrawal from %s of three units left is possible: %s', (chosen, possible) => {
    expect(isPossible({ chosen, left: 3 })).toBe(possible)
  })

  it.each([
    [100n, 3, [1, 1, 1], [33n, 34n, 33n]],
    [100n, 3, [2, 1], [67n, 33n]],
    [100n, 3, [3], [100n]],
    [1n, 3, [1, 1, 1], [0n, 1n, 0n]],
  ])('splits a subtotal of %s for %s units among withdrawals of %j units', (subtotal, quantity, turns, parts) => {
    let before = 0
    const shares = turns.map((units) => {
      const part = subtotalOfUnits({ subtotal, quantity }, { before, units })
      before += units
      return part
    })
    expect(shares).toEqual(parts)
    expect(shares.reduce((sum, part) => sum + part, 0n)).toBe(subtotal)
  })

  it.each([
    ['ebook', true, false],
    ['ebook', false, true],
    ['saas', true, true],
    ['saas', false, true],
  ])('a buyer can withdraw from %s whose supply began at once (%s): %s', (productType, beginsAtOnce, concerns) => {
    expect(isWithdrawable({ productType }, { kind: 'mixed', beginsAtOnce })).toBe(concerns)
  })
})
