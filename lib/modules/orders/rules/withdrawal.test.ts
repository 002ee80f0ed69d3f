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
  ] as const)(
    'for a purchase of %j in the country %s with the tax ID effect %s, the kind of the right of withdrawal is %s',
    (lines, country, taxId, kind) => {
      expect(withdrawalOf(lines, { country, taxId })).toBe(kind)
    },
  )

  it.each('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '))(
    'the right of withdrawal applies in %s, which is in the European Economic Area',
    (country) => {
      expect(withdrawalOf([saas], { country, taxId: 'none' })).toBe('service')
    },
  )

  it.each([
    ['in UTC if the time zone is unknown', '2027-02-20T23:30:00Z', null, '2027-03-06'],
    ['in a time zone in which the next day has already begun', '2027-02-20T23:30:00Z', 'Europe/Warsaw', '2027-03-07'],
    ['in a time zone in which the previous day has not ended', '2027-02-20T00:30:00Z', 'Atlantic/Azores', '2027-03-05'],
    ['counted in days when summer time ends', '2027-10-19T22:30:00Z', 'Europe/Berlin', '2027-11-03'],
    ['counted in days when summer time begins', '2027-03-20T22:30:00Z', 'Europe/Berlin', '2027-04-03'],
  ])('the right of withdrawal ends on the 14th day after the payment, %s', (_, paidAt, timeZone, day) => {
    const order = { withdrawal: service, paidAt: new Date(paidAt) }
    expect(lastWithdrawalDay(order, timeZone)).toBe(day)
    expect(lastWithdrawalDay({ ...order, paidAt: null }, timeZone)).toBeNull()
    expect(lastWithdrawalDay({ ...order, withdrawal: null }, timeZone)).toBeNull()
  })

  it.each(['Europe/Bucharest', 'Atlantic/Azores', 'UTC', 'Pacific/Auckland', 'America/Los_Angeles'])(
    'for payments at any time in %s, a withdrawal is accepted at least until the end of the last day that the page states',
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
    ['until the end of the 14th day at UTC-4', '2027-02-22T10:00:00Z', '2027-03-09T04:00:00Z'],
    [
      'until the end of the 15th day at UTC-4 if the next day had already begun at UTC+4 when the buyer paid',
      '2027-02-22T20:00:00Z',
      '2027-03-10T04:00:00Z',
    ],
    ['until the end of Monday if the 14th day is a Saturday', '2027-02-20T10:00:00Z', '2027-03-09T04:00:00Z'],
    ['until the end of Monday if the 14th day is a Sunday', '2027-02-21T10:00:00Z', '2027-03-09T04:00:00Z'],
    ['until the end of Friday if the 14th day is a Friday', '2027-02-19T10:00:00Z', '2027-03-06T04:00:00Z'],
  ])('a withdrawal is accepted %s', (_, paidAt, until) => {
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
  ] as const)('the state of the right of withdrawal is %s for %j at %s', (state, lines, now) => {
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
    ['the only line if the declaration names no line', [left(0)], [], [0]],
    ['the only line if the declaration names this line', [left(0)], [0], [0]],
    ['no line if the contract has several lines and the declaration names none', [left(0), left(1)], [], []],
    ['the named lines of a contract with several lines', [left(0), left(1), left(2)], [2, 0], [0, 2]],
    ['no line that was withdrawn in full before', [declared(0), left(1)], [0], []],
    ['the named lines except a line that was withdrawn before', [declared(0), left(1)], [0, 1], [1]],
    ['no unnamed line of a contract with several lines, even if only one line remains', [declared(0), left(1)], [], []],
    ['no line that is not in the contract', [left(0), left(2)], [1, 7], []],
  ])('of the lines of a contract, a withdrawal covers %s', (_, lines, positionsNamed, positions) => {
    const chosen = chosenLines(
      lines,
      positionsNamed.map((position) => named(position)),
    )
    expect(chosen.map(({ position }) => position)).toEqual(positions)
    expect(chosen.every((line) => line.chosen === line.left)).toBe(true)
  })

  it.each([
    ['all remaining units of a line that was partly withdrawn before', left(0, 2), named(0, null, 2), 2],
    ['the named number of units', left(0), named(0, 1, 3), 1],
    ['the named number of the remaining units', left(0, 2), named(0, 1, 2), 1],
    ['no unit if another declaration was made after the form was displayed', left(0, 2), named(0, 1, 3), undefined],
    [
      'no unit if another declaration was made after a form without quantities was displayed',
      left(0, 2),
      named(0),
      undefined,
    ],
    ['no unit if no unit remains', left(0, 0), named(0, 1, 0), undefined],
    ['the typed number of units, even if it exceeds the remaining units', left(0), named(0, 4, 3), 4],
  ])('of the units of one line, a withdrawal covers %s', (_, line, name, chosen) => {
    expect(chosenLines([line], [name])[0]?.chosen).toBe(chosen)
  })

  it.each([
    [1, true],
    [3, true],
    [0, false],
    [4, false],
    [1.5, false],
    [Number.NaN, false],
  ])('a withdrawal of %s units is possible if three units remain: %s', (chosen, possible) => {
    expect(isPossible({ chosen, left: 3 })).toBe(possible)
  })

  it.each([
    [100n, 3, [1, 1, 1], [33n, 34n, 33n]],
    [100n, 3, [2, 1], [67n, 33n]],
    [100n, 3, [3], [100n]],
    [1n, 3, [1, 1, 1], [0n, 1n, 0n]],
  ])(
    'a subtotal of %s for %s units is divided among withdrawals of %j units as %s',
    (subtotal, quantity, turns, parts) => {
      let before = 0
      const shares = turns.map((units) => {
        const part = subtotalOfUnits({ subtotal, quantity }, { before, units })
        before += units
        return part
      })
      expect(shares).toEqual(parts)
      expect(shares.reduce((sum, part) => sum + part, 0n)).toBe(subtotal)
    },
  )

  it.each([
    ['ebook', true, false],
    ['ebook', false, true],
    ['saas', true, true],
    ['saas', false, true],
  ])(
    'for an item of type %s, if the consent to immediate supply is %s, a withdrawal from the item is possible: %s',
    (productType, beginsAtOnce, concerns) => {
      expect(isWithdrawable({ productType }, { kind: 'mixed', beginsAtOnce })).toBe(concerns)
    },
  )
})
