import { expect, it } from 'vitest'
import type { CheckoutLine } from './checkout.ts'
import { boughtItems } from './receipt.ts'

const billingInterval = { interval: 'month', intervalCount: 1 } as const
const line = (name: string, differences: Partial<CheckoutLine> = {}) =>
  ({ name, quantity: 1, billingInterval: null, trialDays: null, ...differences }) as CheckoutLine
const trial = line('Backups', { billingInterval, trialDays: 14 })

it.each([
  ['a product', [line('Handbook', { quantity: 3 })], [300n], ['3 Handbook 300']],
  [
    'a plan and a product',
    [line('Pro', { billingInterval }), line('Handbook')],
    [121n, 50n],
    ['1 Pro 121', '1 Handbook 50'],
  ],
  [
    'a trial between a plan and a product',
    [line('Pro', { billingInterval }), trial, line('Handbook')],
    [121n, 50n],
    ['1 Pro 121', '1 Backups null', '1 Handbook 50'],
  ],
  ['a trial alone, whose order only verifies the payment method', [trial], [0n], ['1 Backups null']],
  ['a plan with a trial of zero days', [line('Pro', { billingInterval, trialDays: 0 })], [121n], ['1 Pro 121']],
] as const)(
  'each receipt item of %s has the total of its order line, or null for a trial',
  (_, lines, totals, items) => {
    const bought = boughtItems({ lines: [...lines] }, { lines: totals.map((total) => ({ total })) })
    expect(bought.map(({ name, quantity, total }) => `${quantity} ${name} ${total}`)).toEqual(items)
  },
)
