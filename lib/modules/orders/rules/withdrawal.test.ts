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
    'holds in %s, which is in the European Economic Area',
    (country) => {
      expect(withdrawalOf([saas], { country, taxId: 'none' })).toBe('service')
    },
  )

  it.each([
    ['without a known zone in UTC', '2027-02-20T23:30:00Z', null, '2027-03-06'],
    ['in the day of the buyer, which is the next one', '2027-02-20T23:30:00Z', 'Europe/Warsaw', '2027-03-07'],
    ['in the day of the buyer, which is the one before', '2027-02-20T00:30:00Z', 'Atlantic/Azores', '2027-03-05'],
    ['by days, not by hours, where the clocks go back', '2027-10-19T22:30:00Z', 'Europe/Berlin', '2027-11-03'],
    ['by days, not by hours, where the clocks go forward', '2027-03-20T22:30:00Z', 'Europe/Berlin', '2027-04-03'],
  ])('ends on the 14th day after the payment, %s', (_, paidAt, timeZone, day) => {
    const order = { withdrawal: service, paidAt: new Date(paidAt) }
    expect(lastWithdrawalDay(order, timeZone)).toBe(day)
    expect(lastWithdrawalDay({ ...order, paidAt: null }, timeZone)).toBeNull()
    expect(lastWithdrawalDay({ ...order, withdrawal: null }, timeZone)).toBeNull()
  })

  it.each(['Europe/Bucharest', 'Atlantic/Azores', 'UTC', 'Pacific/Auckland', 'America/Los_Angeles'])(
    'is taken on the page until the end of that day in %s, whenever it was paid',
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
    ['on a weekday, until its end in the west', '2027-02-22T10:00:00Z', '2027-03-09T04:00:00Z'],
    ['late in the evening, which is the next day in the east', '2027-02-22T20:00:00Z', '2027-03-10T04:00:00Z'],
    ['that would end on a Saturday, until Monday', '2027-02-20T10:00:00Z', '2027-03-09T04:00:00Z'],
    ['that would end on a Sunday, until Monday', '2027-02-21T10:00:00Z', '2027-03-09T04:00:00Z'],
    ['that would end on a Friday', '2027-02-19T10:00:00Z', '2027-03-06T04:00:00Z'],
  ])('is taken after a payment %s', (_, paidAt, until) => {
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
  ] as const)('is %s for %j at %s', (state, lines, now) => {
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
    ['the only line without naming it', [left(0)], [], [0]],
    ['the only line by its name', [left(0)], [0], [0]],
    ['nothing of several without names', [left(0), left(1)], [], []],
    ['those of several that are named', [left(0), left(1), left(2)], [2, 0], [0, 2]],
    ['nothing that was declared before', [declared(0), left(1)], [0], []],
    ['what is left of those that are named', [declared(0), left(1)], [0, 1], [1]],
    ['not the last one that is left without naming it', [declared(0), left(1)], [], []],
    ['nothing that is not of the contract', [left(0), left(2)], [1, 7], []],
  ])('is about %s', (_, lines, positionsNamed, positions) => {
    const chosen = chosenLines(
      lines,
      positionsNamed.map((position) => named(position)),
    )
    expect(chosen.map(({ position }) => position)).toEqual(positions)
    expect(chosen.every((line) => line.chosen === line.left)).toBe(true)
  })

  it.each([
    ['all units that are left, of a line of which others were declared', left(0, 2), named(0, null, 2), 2],
    ['so many units as are named', left(0), named(0, 1, 3), 1],
    ['so many of those that are left', left(0, 2), named(0, 1, 2), 1],
    ['nothing, if the form was shown before another declaration', left(0, 2), named(0, 1, 3), undefined],
    ['nothing, if a form without quantities was shown before one', left(0, 2), named(0), undefined],
    ['nothing, if no unit is left', left(0, 0), named(0, 1, 0), undefined],
    ['what was typed, also where it is not possible', left(0), named(0, 4, 3), 4],
  ])('is about %s', (_, line, name, chosen) => {
    expect(chosenLines([line], [name])[0]?.chosen).toBe(chosen)
  })

  it.each([
    [1, true],
    [3, true],
    [0, false],
    [4, false],
    [1.5, false],
    [Number.NaN, false],
  ])('of %s units of three that are left is possible: %s', (chosen, possible) => {
    expect(isPossible({ chosen, left: 3 })).toBe(possible)
  })

  it.each([
    [100n, 3, [1, 1, 1], [33n, 34n, 33n]],
    [100n, 3, [2, 1], [67n, 33n]],
    [100n, 3, [3], [100n]],
    [1n, 3, [1, 1, 1], [0n, 1n, 0n]],
  ])('asks for the part of a subtotal of %s of %s units that turns of %j have', (subtotal, quantity, turns, parts) => {
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
  ])('concerns %s that begins at once (%s): %s', (productType, beginsAtOnce, concerns) => {
    expect(isWithdrawable({ productType }, { kind: 'mixed', beginsAtOnce })).toBe(concerns)
  })
})
