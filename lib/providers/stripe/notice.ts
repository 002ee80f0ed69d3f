import Stripe from 'stripe'
import type { ProviderNotice } from '../../modules/payments/provider.ts'
import type { AccountSettings } from '../../platform/config-providers.ts'
import { idOf } from './answers.ts'

/**
 * Returns a notice of the payment that an event concerns. The caller then fetches the state of the payment with its disputes. An event that
 * names no session and no payment intent gives an empty list. Returns null for a text that is not an event, or that lacks a valid
 * signature.
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

/** A thin event has no snapshot of its object, so its `object` is only a reference (docs.stripe.com/event-destinations). */
interface Event {
  readonly type: string
  readonly object: Readonly<Record<string, unknown>>
}

/** The type of a thin event begins with the API version: `v1.payment_intent.succeeded`. */
function refIn({ type, object: { id, payment_intent: intent } }: Event): string {
  const name = type.replace(/^v\d+\./, '')
  if (/^(?:checkout\.session|payment_intent)\./.test(name)) return String(id ?? '')
  return name.startsWith('charge.dispute.') ? (idOf(intent as string | null) ?? '') : ''
}

function eventIn(secret: string | null, headers: Headers, text: string): Event | null {
  try {
    const signature = headers.get('stripe-signature') ?? ''
    if (secret !== null && !Stripe.webhooks.signature?.verifyHeader(text, signature, secret)) return null
    const event = JSON.parse(text)
    const object = event?.object === 'v2.core.event' ? event.related_object : event?.data?.object
    const isEvent = typeof event?.type === 'string' && typeof object === 'object' && object !== null
    if (event?.object === 'v2.core.event' && typeof event.type === 'string' && !object) return { type: '', object: {} }
    return isEvent ? { type: event.type, object } : null
  } catch {
    return null
  }
}
