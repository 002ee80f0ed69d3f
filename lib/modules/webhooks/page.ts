import type { z } from 'zod'
import type { FilteredList } from '../../kernel/list.ts'
import type { WebhookEndpointShape } from './contract.ts'
import { type DeliveryStatus, deliveryStates } from './rules/state.ts'

export const deliveryStatuses = deliveryStates.states

/** A delivery in a list of the admin area. */
export interface DeliveryRow {
  readonly id: string
  readonly eventId: string
  readonly eventName: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly createdAt: string
  readonly nextAttemptAt: string | null
  readonly endpointUrl: string
}

/** The deliveries of a storefront and mode, or those to one endpoint. */
export type DeliveriesPage = FilteredList<DeliveryRow, DeliveryStatus> & {
  readonly endpoint: { readonly id: string; readonly url: string } | null
}

/** One attempt to deliver an event: the response, or why there was none. */
interface DeliveryAttempt {
  readonly number: number
  readonly startedAt: string
  readonly durationMs: number
  /** The HTTP status; null without a response. */
  readonly status: number | null
  readonly error: string | null
  /** The beginning of the response's body. */
  readonly answer: string | null
  /** The header Service-Signature as it was sent; null of attempts from before it was kept. */
  readonly signature: string | null
}

/** A delivery with what was sent and what came back. */
export interface DeliveryPage extends DeliveryRow {
  /** There the moments are those of the test clock, but for the attempts: their receiver is in real time. */
  readonly testmode: boolean
  readonly entityId: string
  /** The exact body that is sent. */
  readonly body: string
  readonly log: readonly DeliveryAttempt[]
  /** Whether the endpoint still exists and wants events of this name, so that it can be sent again. */
  readonly canResend: boolean
  /** Whether the reader may. */
  readonly mayResend: boolean
  readonly formKey: string
}

/** A webhook endpoint of the interface, as pages show it. */
type AdminEndpoint = z.infer<typeof WebhookEndpointShape>

/** The form for an endpoint, with what was typed and is wrong. */
export interface EndpointForm {
  readonly url: string
  /** Those that are ticked. */
  readonly enabledEvents: readonly string[]
  /** All that there are. */
  readonly eventNames: readonly string[]
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

export interface NewEndpointForm extends EndpointForm {
  /** A random one, which comes back with a form that is refused. */
  readonly suggestedSecret: string
  /** The same, sealed: sent back as the hidden field `sealedSecret`. */
  readonly sealedSecret: string
}

export interface EndpointsPage {
  /** Where a form gets them as a file. */
  readonly exportUrl?: string
  readonly endpoints: readonly AdminEndpoint[]
  /** As many a storefront and mode can have. */
  readonly most: number
  /** Null for a reader who may not register one, and where there are as many as there can be. */
  readonly form: NewEndpointForm | null
}

export interface EndpointPage {
  readonly endpoint: AdminEndpoint
  /** The newest to it. */
  readonly deliveries: readonly DeliveryRow[]
  /** Null for a reader who may not change it. */
  readonly form: EndpointForm | null
  /** Null if no replaced secret signs any more, and for a reader who cannot end it. */
  readonly previousSecret: { readonly until: string; readonly formKey: string } | null
  /** Null for a reader who may not send anything again. */
  readonly failed: FailedForm | null
}

/** The form that sends again what failed since a moment. */
interface FailedForm {
  /** How many failed in the last `days` days and can be sent again, up to `most` + 1. */
  readonly count: number
  readonly most: number
  readonly days: number
  /** What was typed, or the last day: a moment of UTC such as `2027-01-31T09:30`. */
  readonly since: string
  readonly problem: string | null
  readonly formKey: string
}
