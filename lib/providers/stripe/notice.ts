import Stripe from 'stripe'
import type { ProviderNotice } from '../../modules/payments/provider.ts'
import type { AccountSettings } from '../../platform/config-providers.ts'
import { idOf } from './answers.ts'

/**
 * What an event of Stripe's is about: its content is not used, the state is fetched. With the account's webhook secret it
 * must be signed. A dispute names its intent: what it is now the payment says. Refunds are polled. Null for what is no event, or is not signed.
 */
export function noticesIn(
  { headers, body }: { headers: Headers; body: Uint8Array },
  { webhookSecret }: Pick<AccountSettings, 'webhookSecret'>,
): readonly ProviderNotice[] | null {
  const event = eventIn(webhookSecret, headers, Buffer.from(body).toString('utf8'))
  if (!event) return null
  const { object } = event.data
  const ref = refIn(event.type, object as Readonly<Record<string, unknown>>)
  return /^(?:cs|pi)_\w{1,200}$/.test(ref) ? [{ subject: 'payment', ref, paymentRef: ref }] : []
}

function refIn(type: string, { id, payment_intent: intent }: Readonly<Record<string, unknown>>): string {
  if (/^(?:checkout\.session|payment_intent)\./.test(type)) return String(id ?? '')
  return type.startsWith('charge.dispute.') ? (idOf(intent as string | null) ?? '') : ''
}

type Event = Pick<Stripe.Event, 'type'> & { readonly data: { readonly object: object } }

function eventIn(secret: string | null, headers: Headers, text: string): Event | null {
  try {
    if (secret !== null)
      return Stripe.webhooks.constructEvent(text, headers.get('stripe-signature') ?? '', secret) as Event
    const event = JSON.parse(text)
    const isEvent =
      typeof event?.type === 'string' && typeof event?.data?.object === 'object' && event.data.object !== null
    return isEvent ? event : null
  } catch {
    return null // It is no JSON, or not signed.
  }
}
