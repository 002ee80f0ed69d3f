import { expect, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { send } from '../../testing/api.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aSale, type Sale } from '../../testing/money-back.ts'
import { drainTasks, get, pass } from '../../testing/subscription-scenario.ts'
import { move, raise } from '../chargeback/operations.ts'

const creditNotesOf = async ({ shop }: Sale) =>
  (await listEmails(shop.storefrontId)).filter(({ kind }) => kind === 'refund')

async function disputed(to: Parameters<typeof move>[1], amount?: string) {
  const sale = await aSale({ price: '100.00' })
  const { chargebackId } = await raise(sale.orderId, { amount, reason: 'fraud' })
  await drainTasks()
  expect(await creditNotesOf(sale)).toEqual([])
  await move(chargebackId, to)
  await drainTasks()
  return { sale, chargebackId }
}

test('a lost dispute causes one email with the credit note and a text about the dispute', async () => {
  const { sale, chargebackId } = await disputed('lost', '60.50')
  const emails = await creditNotesOf(sale)
  const { data } = await get(sale.key, '/v1/orders?limit=10')
  expect(emails).toMatchObject([{ to: 'ada@example.com', orderId: data[0].id }])
  const text = read(emails[0]?.text ?? '')
  expect(emails[0]?.subject).toMatch(/^Chargeback: credit note TEST-CN-2026-000001 from /)
  expect(text).toMatch(/charged back €60\.50 of your payment for invoice TEST-INV-2026-000001/)
  expect(text).toContain('The credit note is attached as a PDF.')
  expect(text).not.toMatch(/refunded|payment method that you paid with/)
  await expect(move(chargebackId, 'lost')).rejects.toThrow()
  expect(await creditNotesOf(sale)).toHaveLength(1)
  expect(await brokenInvariants()).toEqual({})
})

test('an accepted dispute causes an email with the credit note', async () => {
  expect(await creditNotesOf((await disputed('accepted', '150.00')).sale)).toHaveLength(1)
})

test('a won dispute causes no email', async () => {
  expect(await creditNotesOf((await disputed('won')).sale)).toEqual([])
})

test('a dispute of a fully refunded order causes no email, because the total of its credit note is 0.00', async () => {
  const sale = await aSale({ price: '100.00' })
  await send(`POST /v1/orders/${sale.orderId}/refunds/full`, { key: sale.key })
  await pass(sale, 'PT1M')
  const { chargebackId } = await raise(sale.orderId, { reason: 'fraud' })
  const before = await creditNotesOf(sale)
  expect(before).toHaveLength(1)
  await move(chargebackId, 'lost')
  await drainTasks()
  expect(await get(sale.key, `/v1/chargebacks/${chargebackId}`)).toMatchObject({ orderId: expect.any(String) })
  expect(await creditNotesOf(sale)).toEqual(before)
})
