import { describe, expect, it } from 'vitest'
import { anOrder } from '../../orders/examples.ts'
import { invoiceUpdateFields } from '../page.ts'
import { formOf, invoiceUpdateOf, invoiceUpdateProblems, needsTaxId, readInvoiceUpdate } from './form.ts'

const sold = anOrder()
const reverseCharged = anOrder({
  taxSummary: [{ rate: { name: 'Reverse charge', percentage: '0' }, amount: 0n }],
  customerDetails: { ...sold.customerDetails, taxId: 'DE1' },
})
const read = (typed: Record<string, string> = {}, order = sold) =>
  readInvoiceUpdate(new URLSearchParams({ fullName: 'Ada', ...typed }), order)

describe('fields', () => {
  it('the invoice-update form initially shows the invoice’s details and an empty checkbox', () => {
    const form = formOf(sold)
    expect(Object.keys(form).sort()).toEqual([...invoiceUpdateFields].sort())
    expect(form).toMatchObject({ fullName: 'Ada Lovelace', companyName: '', country: 'DE', useForLaterOrders: '' })
  })

  it('the invoice-update form trims its fields and ignores unknown fields', () => {
    const form = read({ city: ' Bonn ', email: 'eve@example.com', total: '0.00' })
    expect(form).toEqual({ ...formOf(sold), fullName: 'Ada', city: 'Bonn' })
  })

  it('an invoice-update form without a country uses the invoice’s country', () => {
    expect(read().country).toBe('DE')
    expect(read({ country: 'NL' }).country).toBe('NL')
  })

  it.each([
    ['true', true],
    ['on', true],
    ['1', true],
    ['', false],
    [' ', false],
    ['false', false],
    ['0', false],
    ['off', false],
    ['no', false],
  ])('an invoice-update form with useForLaterOrders=%j applies to later orders: %j', (useForLaterOrders, asks) => {
    expect(invoiceUpdateOf(read({ useForLaterOrders })).useForLaterOrders).toBe(asks)
  })

  it('an invoice-update form without useForLaterOrders does not apply to later orders', () => {
    expect(invoiceUpdateOf(read()).useForLaterOrders).toBe(false)
  })

  it('a valid invoice-update form returns the details, with null for blank fields', () => {
    const blank = Object.fromEntries(Object.keys(sold.customerDetails).map((field) => [field, null]))
    const { email: _, ...nothing } = blank
    expect(invoiceUpdateOf(read({ taxId: 'DE2' })).details).toEqual({
      ...nothing,
      fullName: 'Ada',
      taxId: 'DE2',
      country: 'DE',
    })
  })
})

describe('problems', () => {
  it.each([
    ['fullName', '', { code: 'required' }],
    ['fullName', 'a'.repeat(256), { code: 'too_long', limit: 255 }],
    ['postalCode', '1'.repeat(21), { code: 'too_long', limit: 20 }],
    ['city', 'a\u0007b', { code: 'invalid' }],
    ['country', 'NL', { code: 'unavailable' }],
    ['country', 'ZZ', { code: 'unavailable' }],
    ['taxId', 'NL1', { code: 'invalid' }],
    ['taxId', 'de1', { code: 'invalid' }],
    ['taxId', '1DE', { code: 'invalid' }],
    ['taxId', `DE${'1'.repeat(49)}`, { code: 'too_long', limit: 50 }],
  ])('in an invoice-update form, the %s %j has the problem %j', (field, value, problem) => {
    expect(invoiceUpdateProblems(read({ [field]: value }), sold)).toEqual({ [field]: problem })
  })

  it('an invoice-update form reports all problems together', () => {
    const form = read({ fullName: '', taxId: 'X', country: 'NL' })
    expect(Object.keys(invoiceUpdateProblems(form, sold)).sort()).toEqual(['country', 'fullName', 'taxId'])
  })

  it.each(['', 'DE1', 'DE', 'DE123456789'])('an invoice with German tax may have the tax ID %j', (taxId) => {
    expect(invoiceUpdateProblems(read({ taxId }), sold)).toEqual({})
  })

  it.each([
    ['', { taxId: { code: 'required' } }],
    ['NL1', { taxId: { code: 'invalid' } }],
    ['DE2', {}],
  ])('on a reverse-charge invoice, the tax ID %j has the problems %j', (taxId, problems) => {
    expect(needsTaxId(reverseCharged)).toBe(true)
    expect(invoiceUpdateProblems(read({ taxId }), reverseCharged)).toEqual(problems)
  })

  it('a live reverse-charge invoice needs a company and an address', () => {
    const missing = ['city', 'companyName', 'postalCode', 'streetAndNumber']
    const typed = read({ taxId: 'DE136695976' })
    expect(Object.keys(invoiceUpdateProblems(typed, { ...reverseCharged, testmode: false })).sort()).toEqual(missing)
    expect(invoiceUpdateProblems(typed, { ...sold, testmode: false })).toEqual({})
  })

  it.each([
    [null, []],
    ['unknown', []],
    ['valid', ['city', 'companyName', 'postalCode', 'streetAndNumber']],
    ['invalid', ['taxId']],
  ] as const)(
    'on an invoice with tax, a new tax ID with the registry result %j causes problems in the fields %j',
    (late, fields) => {
      const typed = read({ taxId: 'DE136695976' })
      const problems = invoiceUpdateProblems(typed, { ...sold, testmode: false }, late)
      expect(Object.keys(problems).sort()).toEqual(fields)
      if (late === 'invalid') expect(problems).toEqual({ taxId: { code: 'not_registered' } })
    },
  )

  it.each([
    ['valid', {}],
    ['invalid', { taxId: { code: 'not_registered' } }],
    ['unknown', { taxId: { code: 'unconfirmed' } }],
  ] as const)(
    'on a reverse-charge invoice, a new tax ID with the registry result %j causes the problems %j',
    (late, problems) => {
      const company = { companyName: 'Ada', streetAndNumber: 'Weg 1', postalCode: '10115', city: 'Berlin' }
      const typed = read({ ...company, taxId: 'DE136695976' })
      expect(invoiceUpdateProblems(typed, { ...reverseCharged, testmode: false }, late)).toEqual(problems)
    },
  )

  it.each([
    ['28001', '35001', false, { postalCode: { code: 'unavailable' } }],
    [null, '35001', false, { postalCode: { code: 'unavailable' } }],
    ['35001', '28001', false, { postalCode: { code: 'unavailable' } }],
    ['35001', '', false, { postalCode: { code: 'unavailable' } }],
    [null, '28001', false, {}],
    ['28001', '08001', false, {}],
    ['28001', '', false, {}],
    ['28001', '35001', true, {}],
  ])('a change from postal code %j to %j in Spain (test mode: %j) has the problems %j', (was, is, testmode, found) => {
    const customerDetails = { ...sold.customerDetails, country: 'ES', postalCode: was }
    const order = { ...sold, testmode, customerDetails }
    expect(invoiceUpdateProblems(read({ postalCode: is }, order), order)).toEqual(found)
  })

  it('an invoice with tax needs no tax ID', () => {
    expect(needsTaxId(sold)).toBe(false)
  })
})
