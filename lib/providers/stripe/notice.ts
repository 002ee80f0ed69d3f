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
  const ref = refIn(event)
  return /^(?:cs|pi)_\w{1,200}$/.test(ref) ? [{ subject: 'payment', ref, paymentRef: ref }] : []
}

/** An event with a snapshot of its object, or a thin one, which names its object only (docs.stripe.com/event-destinations). */
interface Event {
  readonly type: string
  readonly object: Readonly<Record<string, unknown>>
}

/** A thin event has the type of the snapshot event with its API version before: `v1.payment_intent.succeeded`. */
function refIn({ type, object: { id, payment_intent: intent } }: Event): string {
  const name = type.replace(/^v\d+\./, '')
  if (/^(?:checkout\.session|payment_intent)\./.test(name)) return String(id ?? '')
  return name.startsWith('charge.dispute.') ? (idOf(intent as string | null) ?? '') : ''
}

function eventIn(secret: string | null, headers: Headers, text: string): Event | null {
  try {
    // The library reads snapshot events and thin events by different functions; the signature is the same.
    const signature = headers.get('stripe-signature') ?? ''
    if (secret !== null && !Stripe.webhooks.signature?.verifyHeader(text, signature, secret)) return null
    const event = JSON.parse(text)
    const object = event?.object === 'v2.core.event' ? event.related_object : event?.data?.object
    const isEvent = typeof event?.type === 'string' && typeof object === 'object' && object !== null
    // A thin event may be about no object, for example about the account itself.
    if (event?.object === 'v2.core.event' && typeof event.type === 'string' && !object) return { type: '', object: {} }
    return isEvent ? { type: event.type, object } : null
  } catch {
    return null // It is no JSON, or not signed.
  }
}
