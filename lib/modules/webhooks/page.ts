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

/** The deliveries of a storefront and mode, or of one endpoint. */
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
  /** The header Service-Signature as it was sent; null if no request was sent. */
  readonly signature: string | null
}

/** A delivery with its request and responses. */
export interface DeliveryPage extends DeliveryRow {
  /** In test mode the times are those of the test clock, except for the attempts, which are in real time. */
  readonly testmode: boolean
  readonly entityId: string
  /** The path of the page of the event's object. Null for an object without a page. */
  readonly entityPath: string | null
  /** The exact body that is sent. */
  readonly body: string
  readonly log: readonly DeliveryAttempt[]
  /** Whether the endpoint exists and wants events of this name, so that the event can be re-sent. */
  readonly canResend: boolean
  /** Whether the reader may re-send it. */
  readonly mayResend: boolean
  readonly formKey: string
}

/** A webhook endpoint as the API returns it. */
type AdminEndpoint = z.infer<typeof WebhookEndpointShape>

/** The form for an endpoint, with the typed values and their problems. */
export interface EndpointForm {
  readonly url: string
  /** The ticked events. */
  readonly enabledEvents: readonly string[]
  /** All events. */
  readonly eventNames: readonly string[]
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

export interface NewEndpointForm extends EndpointForm {
  /** A random secret. A refused form returns with the same one. */
  readonly suggestedSecret: string
  /** The same secret, encrypted: sent back as the hidden field `sealedSecret`. */
  readonly sealedSecret: string
}

export interface EndpointsPage {
  /** The URL of the export. */
  readonly exportUrl?: string
  readonly endpoints: readonly AdminEndpoint[]
  /** The maximum number of endpoints per storefront and mode. */
  readonly most: number
  /** Null if the reader may not register an endpoint, or if the maximum is reached. */
  readonly form: NewEndpointForm | null
}

export interface EndpointPage {
  readonly endpoint: AdminEndpoint
  /** The newest deliveries to the endpoint. */
  readonly deliveries: readonly DeliveryRow[]
  /** Null if the reader may not change the endpoint. */
  readonly form: EndpointForm | null
  /** Null if no replaced secret signs, or if the reader may not end it. */
  readonly previousSecret: { readonly until: string; readonly formKey: string } | null
  /** Null if the reader may not re-send events. */
  readonly failed: FailedForm | null
}

/** The form that re-sends deliveries that failed since a time. */
interface FailedForm {
  /** How many deliveries failed in the last `days` days and can be re-sent, up to `most` + 1. */
  readonly count: number
  readonly most: number
  readonly days: number
  /** The typed time, or one day ago: a time in UTC such as `2027-01-31T09:30`. */
  readonly since: string
  readonly problem: string | null
  readonly formKey: string
}
