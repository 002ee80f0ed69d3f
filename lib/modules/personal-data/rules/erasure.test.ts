import { describe, expect, it } from 'vitest'
import { type Dealings, erasureProblem, obstaclesIn, retainedSince, retainedUntil, withoutPerson } from './erasure.ts'

const nothing: Dealings = { subscriptions: [], checkouts: [], orders: [], refunds: [], chargebacks: [], emails: [] }

describe('obstacles', () => {
  it.each<[keyof Dealings, string[], string[]]>([
    ['subscriptions', ['canceled'], ['created', 'trial', 'active', 'on_grace_period', 'paused']],
    ['checkouts', ['paid', 'canceled', 'expired'], ['created', 'failed']],
    ['orders', ['paid', 'canceled', 'expired'], ['created', 'pending']],
    ['refunds', ['refunded', 'failed', 'canceled'], ['pending', 'queued', 'processing']],
    [
      'chargebacks',
      ['accepted', 'rejected', 'won', 'lost'],
      ['pending', 'evidence_submitted', 'requires_amount_review'],
    ],
    ['emails', ['kept', 'sent', 'refused', 'suppressed', 'unsupported', 'unreadable'], ['queued']],
  ])('an erasure is refused while the customer has unfinished %s', (kind, over, open) => {
    const of = (statuses: string[]) => ({ ...nothing, [kind]: statuses.map((status) => ({ id: 'x', status })) })
    expect(obstaclesIn(of(over))).toEqual([])
    expect(erasureProblem(of(over))).toBeNull()
    const sentences = open.map((status) => `x is ${status}.`).join(' ')
    expect(String(erasureProblem(of(open)))).toBe(`Cannot be erased until these end: ${sentences}`)
  })
})

describe('retention', () => {
  it.each([
    ['2027-01-01T00:00:00Z', '2038-01-01T00:00:00.000Z'],
    ['2027-12-31T23:59:59Z', '2038-01-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00Z', '2039-01-01T00:00:00.000Z'],
  ])('a document issued at %s contains the buyer’s data until %s', (issued, until) => {
    expect(retainedUntil(new Date(issued), 10).toISOString()).toBe(until)
    const at = new Date(until)
    expect(new Date(issued) < retainedSince(at, 10)).toBe(true)
    expect(new Date(issued) < retainedSince(new Date(at.getTime() - 1000), 10)).toBe(false)
  })
})

it('an erasure leaves only the country of each address in an event', () => {
  const address = { fullName: 'Ada', companyName: 'Engine Ltd', streetAndNumber: 'Street 1', country: 'DE' }
  const body = {
    id: 'e',
    data: { name: 'Plan', customerDetails: { ...address, email: 'ada@example.com' }, lines: [{ id: 1 }] },
  }
  const blank = { fullName: null, companyName: null, streetAndNumber: null, country: 'DE' }
  expect(JSON.parse(withoutPerson(JSON.stringify(body)))).toEqual({
    id: 'e',
    data: { name: 'Plan', customerDetails: { ...blank, email: null }, lines: [{ id: 1 }] },
  })
  expect(withoutPerson('{"a":[null,1,"x"]}')).toBe('{"a":[null,1,"x"]}')
})

it.each([
  [
    {
      id: 'customer_A',
      resource: 'customer',
      email: 'ada@example.com',
      name: 'Ada',
      metadata: { a: 1 },
      testmode: true,
    },
    {
      id: 'customer_A',
      resource: 'customer',
      email: 'customer_a@erased.invalid',
      name: null,
      metadata: null,
      testmode: true,
    },
  ],
  [
    { mandate: { method: 'paypal', maskedIdentifier: 'j***@x.example' } },
    { mandate: { method: 'paypal', maskedIdentifier: '****' } },
  ],
  [
    { url: 'https://pay.example/portal/1', returnUrl: 'https://a.example/ada' },
    { url: 'https://pay.example/portal/1', returnUrl: null },
  ],
  [
    { status: 'canceled', cancellationFeedback: { reason: 'other', comment: 'I am Ada' } },
    { status: 'canceled', cancellationFeedback: { reason: 'other', comment: null } },
  ],
])('an erasure removes the personal data from the stored JSON %j', (stored, emptied) => {
  expect(JSON.parse(withoutPerson(JSON.stringify(stored)))).toEqual(emptied)
})
