'use server'

import { BillhookError } from '@billhook/sdk'
import { redirect } from 'next/navigation'
import { billhook, planId, shopUrl } from '../lib/billhook.ts'
import { currentWorkspace } from '../lib/session.ts'
import { subscriptionOf } from '../lib/store.ts'

/** The subscription of the workspace of the user. Its id never comes from a form. */
async function ownSubscription(): Promise<string> {
  const id = subscriptionOf(await currentWorkspace())
  if (id === undefined) redirect('/')
  return id
}

/** Opens the checkout. The subscription gets the metadata, so the webhook knows its workspace. */
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

/** Changes the seats at the price of the preview that `asOf` names. A repeated form changes the seats once. */
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

/** Opens the page where the customer pays the past due amount. The link works for 24 hours: each click creates one. */
export async function payNow(): Promise<void> {
  const account = `${shopUrl()}/account`
  const link = await billhook.createBillingUpdateLink(await ownSubscription(), {
    redirectUrlSuccess: account,
    redirectUrlCanceled: account,
  })
  redirect(link.href)
}

/** Opens the customer portal. The link works once, so each click creates one. */
export async function openPortal(): Promise<void> {
  const { customerId } = await billhook.getSubscription(await ownSubscription())
  // The portal returns only to https pages, so it cannot return to a development machine.
  const back = shopUrl().startsWith('https:') ? { returnUrl: `${shopUrl()}/account` } : {}
  const { url } = await billhook.createPortalSession(customerId, back)
  redirect(url)
}
