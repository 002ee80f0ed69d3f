import { afterAll, expect, test } from 'vitest'
import { addNote } from '../../modules/customers/notes.ts'
import { liftSuppression, listEmails, resendEmail } from '../../modules/emails/operations.ts'
import { suppress } from '../../modules/emails/suppressions.ts'
import { emailChangePath } from '../../modules/portal/email-changes.ts'
import { portalSignInPath } from '../../modules/portal/link.ts'
import { saveFeedback } from '../../modules/subscriptions/feedback.ts'
import { register } from '../../modules/webhooks/operations.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import * as factories from '../../testing/factories.ts'
import { brokenAtRest, brokenInvariants } from '../../testing/invariants.ts'
import { placesWith } from '../../testing/opened-dump.ts'
import { portalCookies, portalVisitor } from '../../testing/portal.ts'
import { aReceiver } from '../../testing/receiver.ts'
import { buyerForm, germanVisitor, tokenOf } from '../../testing/shop.ts'
import { ask, drainTasks, pass } from '../../testing/subscription-scenario.ts'
import { aPurchase, declare, filled } from '../../testing/withdrawal.ts'
import { submitBillingUpdate } from '../billing-update/submit-billing-update.ts'
import { submitEmail, submitEmailChange } from '../email-change/submit-email-change.ts'
import { invoiceUpdatePage } from '../invoice-update/load-invoice-update.ts'
import { submitInvoiceUpdate } from '../invoice-update/submit-invoice-update.ts'
import { submitPortalSignIn } from '../portal-sign-in/submit-sign-in.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { erase } from './operations.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect(await brokenAtRest()).toEqual({})
})

/** The personal data to erase. The pattern `named` finds only data of this person. */
const person = {
  email: 'ada.canary@example.com',
  fullName: 'Ada Canary',
  streetAndNumber: 'Canary Street 1',
  city: 'Canaryville',
  postalCode: '10115',
}
const named = /canary|\b4242\b/i

const documents = ['invoice_versions.customer_details', 'order_withdrawals.sealed', 'orders.customer_details']

const redirects = { redirectUrlSuccess: 'https://shop.example/ok', redirectUrlCanceled: 'https://shop.example/no' }
let idempotent = 0
const keyed = () => ({ 'idempotency-key': `call-${++idempotent}` })

async function merchantCalls({ key, customerId, id, planId, order }: Bought): Promise<void> {
  const call = async (line: string, body?: object) => {
    const reply = await send(line, { key, headers: keyed(), ...(body && { body }) })
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
    return reply.body
  }
  await call('POST /v1/customers', { email: person.email, name: 'Canary' })
  await call(`PATCH /v1/customers/${customerId}`, {
    email: 'second.canary@example.com',
    name: 'Canary',
    metadata: { note: 'Canary' },
  })
  await call(`POST /v1/customers/${customerId}/portal-sessions`, { returnUrl: 'https://shop.example/me?of=canary' })
  await call(`PATCH /v1/subscriptions/${id}`, { quantity: 2, applyImmediately: true })
  await call(`POST /v1/subscriptions/${id}/billing-update-link`, {
    ...redirects,
    billingAddress: { fullName: person.fullName, city: person.city, country: 'DE' },
  })
  const items = [{ itemId: order.lines[0].id, amount: factories.price('1.00') }]
  await call(`POST /v1/orders/${order.id}/refunds`, { items })
  const checkout = await factories.aCheckout(key, planId, {
    customerId,
    billingAddress: { city: person.city, country: 'DE' },
  })
  await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), buyerForm({ ...person, country: '' }), germanVisitor)
  await submitCheckout(
    tokenOf(checkout.links.checkoutUrl.href),
    new URLSearchParams({ intent: 'cancel' }),
    germanVisitor,
  )
}

type Bought = Awaited<ReturnType<typeof aPurchase>>

async function ownDoings(bought: Bought): Promise<void> {
  const { shop, customerId, key, order, id } = bought
  const visitor = { acceptLanguage: 'en', header: () => null }
  const billing = await ask(bought, 'POST /v1/subscriptions/{id}/billing-update-link', redirects)
  for (const country of ['', 'DE'])
    await submitBillingUpdate(
      tokenOf(billing.body.href),
      new URLSearchParams({ ...person, fullName: 'Countess Canary', country }),
      visitor,
    )
  const invoice = await send(`POST /v1/orders/${order.id}/invoice-update-link`, { key })
  const token = tokenOf(invoice.body.href)
  const page = await invoiceUpdatePage(token, 'form')
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  for (const fullName of ['', 'Lady Canary'])
    await submitInvoiceUpdate(token, new URLSearchParams({ ...page.form, version: page.version, fullName }))
  const cookies = await portalCookies(bought)
  await submitEmail(new URLSearchParams({ email: 'third.canary@example.com' }), cookies)
  await drainTasks()
  const change = await db().email_changes.findFirstOrThrow({ where: { customer_id: customerId } })
  await submitEmailChange(tokenOf(emailChangePath(change.id)), new URLSearchParams(), portalVisitor(null))
  await submitPortalSignIn(
    tokenOf(portalSignInPath(shop.scope)),
    new URLSearchParams({ email: 'third.canary@example.com' }),
  )
  const feedback = { reason: 'other', comment: 'The canary left' } as const
  await db().$transaction((sql) => saveFeedback(sql, shop.scope, { id, cancellationFeedback: feedback }, new Date()))
  const note = { customerId, text: 'Canary called', author: { id: 'operator_1', email: null } }
  await addNote(shop.scope, note)
  await declare(bought.token, filled({ name: 'Ada Canary' }))
  await drainTasks()
}

async function mishaps(bought: Bought): Promise<void> {
  const { shop } = bought
  await pass(bought, 'P1D')
  await ask(bought, `POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal`, {
    paymentStatus: 'failed',
    failureReason: 'card_expired',
  })
  await drainTasks()
  const [email] = await listEmails(shop.storefrontId)
  await resendEmail(email?.id ?? '')
  for (const address of [person.email, 'second.canary@example.com'])
    await db().$transaction((sql) =>
      suppress(sql, shop.scope, { address, cause: 'bounce', reason: `no mailbox ${address}`, at: new Date() }),
    )
  await liftSuppression(shop.scope, person.email)
}

test('a decrypted dump names an erased person only in documents, until the retention of the documents ends', async () => {
  const receiver = await aReceiver((response, { text }) => response.writeHead(200).end(`received ${text}`))
  const bought = await aPurchase({ ...person, country: 'DE' }, { checkout: { locale: 'en' } })
  await register(bought.shop.scope, { url: receiver.url, secret: 'whsec_0123456789' })
  await mishaps(bought)
  await merchantCalls(bought)
  await ownDoings(bought)
  await ask(bought, 'DELETE /v1/subscriptions/{id}?immediately=true')
  await pass(bought, 'P2D')
  // These columns contain data of the person before the erasure. The check after the erasure proves nothing for any other column.
  expect(await placesWith(named)).toEqual(
    [
      ...documents,
      'billing_update_links.billing_address',
      'billing_update_links.draft',
      'cancellation_feedback.comment',
      'checkouts.billing_address',
      'customer_notes.text',
      'customers.email',
      'customers.metadata',
      'customers.name',
      'delivery_attempts.answer',
      'email_changes.sealed',
      'email_suppressions.sealed',
      'emails.sealed',
      'events.body',
      'idempotency_keys.body',
      'invoice_update_links.draft',
      'mandates.masked_identifier',
      'portal_sessions.return_url',
      'subscriptions.billing_address',
    ].sort(),
  )
  await erase(bought.customerId)
  await drainTasks()
  expect(await placesWith(named)).toEqual(documents)
  for (let year = 0; year < 11; year++) await pass(bought, 'P1Y')
  expect(await placesWith(named)).toEqual([])
  await receiver.close()
})
