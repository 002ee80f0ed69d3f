import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { momentText } from './dates.ts'
import { periodName } from './period-name.ts'
import { providerName } from './provider-name.ts'
import { rateText } from './taxes.tsx'
import { booked } from './work.tsx'

test.each([
  ['2027-Q4', 'Q4 2027'],
  ['2027-11', 'November 2027'],
  ['2027', '2027'],
])('the calendar period %s is shown as %s', (period, name) => {
  expect(periodName(period)).toBe(name)
})

test('payment providers, tax rates, and times are shown as readable texts', () => {
  expect(['mollie', 'stripe', 'sandbox', 'other'].map(providerName)).toEqual([
    'Mollie',
    'Stripe',
    'Test provider',
    'other',
  ])
  expect(providerName('mollie-provider_account_1')).toBe('Mollie (provider_account_1)')
  expect(rateText({ name: 'VAT', percentage: 21 })).toBe('VAT 21%')
  expect(rateText({ name: 'Reverse charge', percentage: 0 })).toBe('Reverse charge 0%')
  expect(momentText('2027-03-01T00:00:00Z')).toBe('1 Mar 2027, 00:00')
})

test('a payment in a reconciliation shows the amount and known states in the reader’s language, and any other text unchanged', () => {
  expect(booked('10.00 EUR, not paid')).toBe('€10.00, not paid')
  expect(booked('10.00 EUR, unheard_of')).toBe('€10.00, unheard_of')
  expect(booked('40.0000 EUR')).toMatch(/^€40\.00/)
  expect(booked('payments: 1, refunds: 2')).toBe('payments: 1, refunds: 2')
})

test('no component of the admin area shows the beginning of an ISO 8601 timestamp as a date or time', () => {
  const folder = path.join(process.cwd(), 'components/admin')
  const cut = readdirSync(folder).filter((name) => {
    const isHidden = ['minute-here.tsx', 'raw-values.test.tsx'].includes(name)
    return !isHidden && /slice\(0, 1[069]\)/.test(readFileSync(path.join(folder, name), 'utf8'))
  })
  expect(cut).toEqual([])
})
