import { describe, expect, it } from 'vitest'
import { isNoticeAhead, isPastDebitNotice, noticesBefore } from './notices.ts'

const day = 86_400_000
const now = new Date('2027-01-01T00:00:00Z')
const inDays = (days: number) => new Date(now.getTime() + days * day)
const monthly = { interval: 'month', intervalCount: 1 } as const
const by = (method: 'card' | 'sepa_debit') =>
  ({
    id: 'mandate_1',
    provider: 'sandbox',
    method,
    maskedIdentifier: '4242',
    reference: null,
    status: 'valid',
  }) as const
const [card, debit] = [by('card'), by('sepa_debit')]
type Asked = Omit<Parameters<typeof noticesBefore>[0], 'mandate' | 'startedAt'> & {
  mandate?: ReturnType<typeof by> | null
  startedAt?: Date
}
const noticesOf = ({ mandate = card, startedAt = now, ...of }: Asked) =>
  noticesBefore({ ...of, mandate, startedAt }, now)
const days = (of: Asked) => noticesOf(of).map((each) => each.days)

describe('notices before the end of a trial', () => {
  it.each([
    [30, [7, 1]],
    [9, [7, 1]],
    [8, [1]],
    [7, [1]],
    [2, [1]],
    [1, []],
  ])('the end of a trial of %i days is announced %j days in advance', (length, expected) => {
    expect(days({ status: 'trial', renewedUntil: inDays(length), billingInterval: monthly })).toEqual(expected)
  })

  it('a trial that began long ago gets no seven-day notice if seven days or less are left', () => {
    const startedAt = inDays(-20)
    const left = (length: number) =>
      days({ status: 'trial', renewedUntil: inDays(length), billingInterval: monthly, startedAt })
    expect([left(7.5), left(7)]).toEqual([[7, 1], [1]])
  })

  it('the two notices of a trial are seven days and one day before its end', () => {
    expect(noticesOf({ status: 'trial', renewedUntil: inDays(30), billingInterval: monthly })).toEqual([
      { kind: 'trial_ending', days: 7, at: inDays(23) },
      { kind: 'trial_ending', days: 1, at: inDays(29) },
    ])
  })
})

describe('notices before a renewal', () => {
  it.each([
    ['year', 1, [30]],
    ['month', 12, [30]],
    ['month', 11, []],
    ['week', 53, [30]],
    ['week', 52, []],
    ['day', 365, [30]],
    ['day', 364, []],
  ] as const)(
    'a renewal with the billing interval %s × %i is announced %j days in advance',
    (interval, intervalCount, expected) => {
      const billingInterval = { interval, intervalCount }
      expect(days({ status: 'active', renewedUntil: inDays(365), billingInterval })).toEqual(expected)
    },
  )

  it('a renewal is not announced if it is closer than its notice period', () => {
    const billingInterval = { interval: 'year', intervalCount: 1 } as const
    expect(days({ status: 'active', renewedUntil: inDays(30), billingInterval })).toEqual([])
    expect(days({ status: 'active', renewedUntil: new Date(inDays(30).getTime() + 1000), billingInterval })).toEqual([
      30,
    ])
  })

  it.each(['on_grace_period', 'paused', 'canceled', 'created'] as const)(
    'the renewal of a subscription in status %s is not announced',
    (status) => {
      for (const mandate of [card, debit])
        expect(
          days({ status, renewedUntil: inDays(365), billingInterval: { interval: 'year', intervalCount: 1 }, mandate }),
        ).toEqual([])
    },
  )
})

describe('notices before a direct debit', () => {
  it.each([
    ['active', 'month', 31, [2]],
    ['active', 'week', 7, [2]],
    ['active', 'day', 3, [2]],
    ['active', 'day', 2, []],
    ['active', 'day', 1, []],
    ['active', 'year', 365, [30, 2]],
    ['trial', 'month', 30, [7, 2]],
    ['trial', 'month', 8, [2]],
    ['trial', 'month', 2, [1]],
  ] as const)(
    'a direct debit of a subscription in status %s, billed every %s and due in %i days, is announced %j days in advance',
    (status, interval, due, expected) => {
      const billingInterval = { interval, intervalCount: 1 }
      expect(days({ status, renewedUntil: inDays(due), billingInterval, mandate: debit })).toEqual(expected)
    },
  )

  it('no direct debit is announced if a card is charged or if nothing is charged', () => {
    for (const mandate of [card, null])
      expect(days({ status: 'active', renewedUntil: inDays(31), billingInterval: monthly, mandate })).toEqual([])
  })
})

describe('the first notice of a charge', () => {
  const yearly = { interval: 'year', intervalCount: 1 } as const

  it.each([
    ['a yearly renewal in 31 days is in the future', 'active', yearly, 31, card, true],
    ['a yearly renewal in 30 days is not in the future', 'active', yearly, 30, card, false],
    ['a monthly renewal is never sent', 'active', monthly, 20, card, false],
    [
      'a monthly direct debit does not count, because its notice announces only the collection',
      'active',
      monthly,
      20,
      debit,
      false,
    ],
    ['a trial that ends in nine days is in the future', 'trial', monthly, 9, card, true],
    ['a trial that ends in 7.5 days is in the future', 'trial', monthly, 7.5, card, true],
    ['a trial that ends in seven days is not in the future', 'trial', monthly, 7, card, false],
    ['a paused subscription is not sent', 'paused', yearly, 300, card, false],
  ] as const)(
    'isNoticeAhead() is true only while the first notice is in the future: the notice of %s',
    (_, status, billingInterval, length, mandate, isAhead) => {
      const startedAt = inDays(-10)
      expect(isNoticeAhead({ status, renewedUntil: inDays(length), billingInterval, mandate, startedAt }, now)).toBe(
        isAhead,
      )
    },
  )

  it.each([
    ['a direct debit in 2 days is not past', 2, debit, false],
    ['a direct debit in 1.9 days is past', 1.9, debit, true],
    ['a card charge in 1 day is not past', 1, card, false],
  ] as const)(
    'isPastDebitNotice() is true only for a direct debit in less than two days: %s the deadline',
    (_, length, mandate, isPast) => {
      expect(isPastDebitNotice({ status: 'active', renewedUntil: inDays(length), mandate }, now)).toBe(isPast)
    },
  )
})
