import { beforeEach, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { claim, type KeptSettlement, newest, save } from './store.ts'

beforeEach(async () => {
  await db().reconciliations.deleteMany()
})

const at = (time: string) => new Date(`2026-12-01T${time}Z`)
const done = { provider: 'mollie', payments: 2, refunds: 1, chargebacks: 0, settlements: null, differences: [] }

it('each day, only one process can claim the comparison with the books of a provider', async () => {
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim(db(), 'mollie', at('03:00:00'))))
  expect(claims.filter(Boolean)).toHaveLength(1)
  await save(db(), { ...done, finishedAt: at('03:05:00') })
  expect(await claim(db(), 'mollie', at('23:00:00'))).toBe(false)
  expect(await claim(db(), 'stripe', at('03:00:00'))).toBe(true)
  expect(await claim(db(), 'mollie', new Date('2026-12-02T00:10:00Z'))).toBe(true)
})

it('another process can claim a comparison that did not finish within an hour', async () => {
  await claim(db(), 'mollie', at('03:00:00'))
  expect(await claim(db(), 'mollie', at('03:59:59'))).toBe(false)
  expect(await claim(db(), 'mollie', at('04:00:01'))).toBe(true)
  expect(await claim(db(), 'mollie', at('04:30:00'))).toBe(false)
})

it('a finished comparison replaces the result of the same day, and newest() returns the last result of each provider', async () => {
  const difference = {
    kind: 'refund_unknown',
    ref: 're_1',
    id: null,
    atProvider: '1.00 EUR, sent',
    ours: null,
  } as const
  await save(db(), { ...done, finishedAt: new Date('2026-11-30T03:05:00Z') })
  await save(db(), { ...done, finishedAt: at('03:05:00') })
  const settlement: KeptSettlement = {
    ref: 'stl_1',
    reference: null,
    status: 'pending',
    settledAt: null,
    currency: 'EUR',
    amount: '39.7500',
    revenue: '42.9000',
    costs: '3.1460',
    payments: 6,
    refunds: 2,
    chargebacks: 0,
  }
  const last = { ...done, payments: 3, chargebacks: 1, settlements: [settlement], differences: [difference] }
  await save(db(), { ...last, finishedAt: at('12:00:00') })
  await claim(db(), 'mollie', new Date('2026-12-02T00:10:00Z'))
  const stripe = { ...done, provider: 'stripe', payments: 9 }
  for (const [payments, day] of [
    [9, 30],
    [8, 29],
  ] as const)
    await save(db(), { ...stripe, payments, finishedAt: new Date(`2026-11-${day}T03:05:00Z`) })
  expect(await newest(db())).toEqual([
    { ...last, day: '2026-12-01', finishedAt: at('12:00:00') },
    { ...stripe, day: '2026-11-30', finishedAt: new Date('2026-11-30T03:05:00Z') },
  ])
})
