import { expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { aShop } from '../../testing/shop.ts'
import { transact } from '../events/transact.ts'
import { enqueueEmail } from './enqueue.ts'
import { listEmails } from './operations.ts'

it('without a configured mail server, an email is stored and listed', async () => {
  const shop = await aShop()
  const id = await transact({ storefrontId: shop.storefrontId, testmode: false }, (tx) =>
    enqueueEmail(tx, {
      to: 'ada@example.com',
      locale: 'nl',
      content: {
        kind: 'canceled_for_nonpayment',
        subscriptionName: 'Pro',
        storefrontName: 'Lumen',
        seller: { name: 'Billhook Seller B.V.', addressLines: ['Keizersgracht 1'], country: 'NL' },
        customerId: null,
        customerName: null,
        amount: { value: '12.10', currency: 'EUR' },
      },
    }),
  )
  expect(await db().tasks.count({ where: { name: 'email.send' } })).toBe(0)
  expect(await listEmails(shop.storefrontId)).toMatchObject([
    { id, status: 'kept', sentAt: null, testmode: false, locale: 'nl', subject: 'Uw abonnement Pro is beëindigd' },
  ])
})
