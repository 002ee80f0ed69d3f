'use server'

import { BillhookError } from '@billhook/sdk'
import { redirect } from 'next/navigation'
import { billhook, planId, shopUrl } from '../lib/billhook.ts'
import { currentWorkspace } from '../lib/session.ts'
import { subscriptionOf } from '../lib/store.ts'

/** Reads the subscription id from the store, because a user could change an id in a form to the id of another workspace. */
async function ownSubscription(): Promise<string> {
  const id = subscriptionOf(await currentWorkspace())
  if (id === undefined) redirect('/')
  return id
}

/** The metadata tells the webhook handler to which workspace the new subscription belongs. */
export async function subscribe(form: FormData): Promise<void> {
  const checkout = await billhook.createCheckout({
    products: [
      { id: planId(), quantity: Number(form.get('seats')), metadata: { workspace: await currentWorkspace() } },
    ],
    redirectUrlSuccess: `${shopUrl()}/account`,
    redirectUrlCanceled: `${shopUrl()}/`,
  })
  redirect(checkout.links.checkoutUrl.href)
}

/** With `asOf`, the change costs what the preview showed. With the idempotency key, a form that is sent twice changes the seats one time. */
export async function changeSeats(form: FormData): Promise<void> {
  const id = await ownSubscription()
  const quantity = Number(form.get('seats'))
  const asOf = String(form.get('asOf'))
  try {
    await billhook.changeSubscription(
      id,
      { quantity, applyImmediately: true, invoiceImmediately: true, asOf },
      { idempotencyKey: `seats-${id}-${quantity}-${asOf}` },
    )
  } catch (error) {
    if (!(error instanceof BillhookError) || error.status !== 422) throw error
    redirect(`/account?problem=${encodeURIComponent(error.message)}`)
  }
  redirect('/account')
}

/** Each click creates a link to pay the past due amount, because links expire after 24 hours. */
export async function payNow(): Promise<void> {
  const account = `${shopUrl()}/account`
  const link = await billhook.createBillingUpdateLink(await ownSubscription(), {
    redirectUrlSuccess: account,
    redirectUrlCanceled: account,
  })
  redirect(link.href)
}

/** Each click creates a portal link, because a link works one time only. */
export async function openPortal(): Promise<void> {
  const { customerId } = await billhook.getSubscription(await ownSubscription())
  // The portal can return to https pages only, and a development machine has no https page.
  const back = shopUrl().startsWith('https:') ? { returnUrl: `${shopUrl()}/account` } : {}
  const { url } = await billhook.createPortalSession(customerId, back)
  redirect(url)
}
