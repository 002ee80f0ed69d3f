import { expect, it } from 'vitest'
import type { Product } from '../../catalog/rules/index.ts'
import { snapshot } from './snapshot.ts'

const product = {
  id: 'subscription_plan_1',
  terms: {
    name: 'Pro',
    description: 'Everything',
    price: { minor: 1_000n, currency: 'EUR' },
    productType: 'saas',
    billingInterval: { interval: 'month', intervalCount: 1 },
  },
} as Product

it('a checkout line has the terms of its product and the quantity of its item', () => {
  expect(snapshot('line', { id: product.id, quantity: 3 }, product)).toEqual({
    id: 'line',
    productId: product.id,
    name: 'Pro',
    description: 'Everything',
    unitPrice: 1_000n,
    quantity: 3,
    productType: 'saas',
    billingInterval: { interval: 'month', intervalCount: 1 },
    trialDays: null,
    metadata: null,
  })
})

it('the price, the trial, and the metadata of a checkout item replace the values of the product', () => {
  const own = { price: { minor: 0n, currency: 'EUR' as const }, trialDays: 14, metadata: '{"seat":1}' }
  expect(snapshot('line', { id: product.id, quantity: 1, ...own }, product)).toMatchObject({
    unitPrice: 0n,
    trialDays: 14,
    metadata: '{"seat":1}',
  })
})

it('snapshot() throws an error if the product is missing', () => {
  expect(() => snapshot('line', { id: 'gone', quantity: 1 }, undefined)).toThrow('was not found')
})
