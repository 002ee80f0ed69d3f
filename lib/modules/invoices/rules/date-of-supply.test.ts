import { expect, it } from 'vitest'
import { dateOfSupply, lastSecondOf } from './date-of-supply.ts'

const soldAt = new Date('2026-11-20T10:00:00Z')
const month = { from: new Date('2026-11-20T10:00:00Z'), until: new Date('2026-12-20T10:00:00Z') }
const quarter = { from: new Date('2026-11-01T00:00:00Z'), until: new Date('2027-02-01T00:00:00Z') }
const line = (service: typeof month | null) => ({ onInvoice: { description: null, service, change: null } })
const product = { onInvoice: null }

it.each([
  ['a one-off product is supplied on the day of the payment', [product], { at: soldAt, period: null }],
  ['a subscription is supplied in its period', [line(month)], { at: null, period: month }],
  [
    'subscriptions are supplied from the start of the first period to the end of the last period',
    [line(month), line(quarter)],
    { at: null, period: quarter },
  ],
  [
    'a sale of a product and a subscription is supplied on the day of the payment and in the period',
    [product, line(month), line(null)],
    { at: soldAt, period: month },
  ],
  ['a document without lines is supplied on the day of the payment', [], { at: soldAt, period: null }],
])('dateOfSupply() returns the day or the period of the supply: %s', (_, lines, supply) => {
  expect(dateOfSupply(lines, soldAt)).toEqual(supply)
})

it('if a period ends at midnight, its last second is on the previous day', () => {
  expect(lastSecondOf(quarter)).toEqual(new Date('2027-01-31T23:59:59Z'))
})
