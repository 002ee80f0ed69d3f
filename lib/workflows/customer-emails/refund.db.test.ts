import { expect, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { send } from '../../testing/api.ts'
import { read } from '../../testing/email-text.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aShop } from '../../testing/shop.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { failAtBank } from '../refund/operations.ts'

async function refunded(meanwhile: (refundId: string) => Promise<unknown> = async () => undefined) {
  const shop = await aShop()
  const key = shop.testKey
  const product = await factories.aProduct(key)
  const { orderId } = await factories.pay(key, await factories.aCheckout(key, product.id, { locale: 'fr' }))
  // These sales give the merchant enough balance for the refund.
  for (let n = 0; n < 2; n++)
    await factories.pay(key, await factories.aCheckout(key, product.id), { email: 'eve@example.com' })
  const { body } = await send(`POST /v1/orders/${orderId}/refunds/full`, { key, body: {} })
  await meanwhile(body.id)
  await pass({ key }, 'PT2H')
  const emails = (await listEmails(shop.storefrontId)).filter(({ kind }) => kind === 'refund')
  return { emails, refund: await get(key, `/v1/refunds/${body.id}`) }
}

test('a completed refund causes one email with the credit note', async () => {
  const { emails, refund } = await refunded()
  expect(refund.status).toBe('refunded')
  expect(emails).toMatchObject([{ to: 'ada@example.com', locale: 'fr', orderId: refund.orderId }])
  const text = read(emails[0]?.text ?? '')
  expect(text).toMatch(/Nous vous avons remboursé 29,65 € pour la facture TEST-INV-\d{4}-000001 de Lumen Software\./)
  expect(text).toMatch(/\nAvoir TEST-CN-\d{4}-000001\nHandbook \(.+\) : 24,50 €\n/)
  expect(await brokenInvariants()).toEqual({})
})

test('no email is sent if the bank refuses a refund', async () => {
  const { emails, refund } = await refunded(failAtBank)
  expect([refund.status, emails]).toEqual(['failed', []])
})
