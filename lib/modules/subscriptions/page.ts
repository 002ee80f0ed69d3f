import type { z } from 'zod'
import type { AdminOrder } from '../orders/page.ts'
import type { SubscriptionShape } from './contract.ts'

/** A subscription of the interface, as pages show it. */
export type AdminSubscription = z.infer<typeof SubscriptionShape>

/** What an operator can do with a subscription in its state. */
export type SubscriptionAction = 'cancel' | 'cancelNow' | 'resume' | 'pause' | 'unpause'

/** Something that happened to a subscription: an event of it, or an order for it. */
export type TimelineEntry = { readonly at: string; readonly id: string } & (
  | { readonly kind: 'event'; readonly name: string }
  | { readonly kind: 'order'; readonly order: AdminOrder }
)

/** One subscription in the admin area. */
export interface SubscriptionPage {
  readonly subscription: AdminSubscription
  readonly email: string
  /** The next charge, with tax; null when none is due. */
  readonly nextCharge: {
    readonly total: { readonly value: string; readonly currency: 'EUR' | 'USD' }
    readonly at: string
  } | null
  readonly actions: readonly SubscriptionAction[]
  /** Newest first. */
  readonly timeline: readonly TimelineEntry[]
  readonly formKey: string
}
