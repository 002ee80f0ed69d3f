import type { z } from 'zod'
import type { AdminList, FilteredList } from '../../kernel/list.ts'
import type { WebhookEndpointShape } from './contract.ts'
import type { FailureKind } from './rules/failure.ts'
import type { HealthState } from './rules/health.ts'
import { type DeliveryStatus, deliveryStates } from './rules/state.ts'

export const deliveryStatuses = deliveryStates.states

/** A delivery in a list of the admin area. */
export interface DeliveryRow {
  readonly id: string
  readonly eventId: string
  readonly eventName: string
  /** The object of the event. */
  readonly entityId: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly createdAt: string
  readonly nextAttemptAt: string | null
  readonly endpointUrl: string
}

/** An active filter, with the URL of the list without this filter. */
export interface FilterChip<Name extends string = string> {
  readonly name: Name
  readonly value: string
  readonly url: string
}

/** The filters that the lists of events and deliveries share. Days are in UTC, such as `2027-01-31`. */
interface EventFilters {
  readonly event: string | null
  /** The id of an object. */
  readonly object: string | null
  readonly from: string | null
  readonly to: string | null
}

interface FilterOptions {
  /** The address of the list without filters. */
  readonly listUrl: string
  readonly eventNames: readonly string[]
}

/** The deliveries of a storefront and mode, with their filters. */
export type DeliveriesPage = FilteredList<DeliveryRow, DeliveryStatus> &
  FilterOptions & {
    readonly filters: EventFilters & { readonly status: DeliveryStatus | null; readonly endpoint: string | null }
    readonly chips: readonly FilterChip<'endpoint' | 'event' | 'object' | 'from' | 'to'>[]
    /** The address of the list with all other filters. */
    readonly unfilteredByStatusUrl: string
    readonly endpoints: readonly { readonly id: string; readonly url: string }[]
    /** The address of the confirmation step of a resend. Null on that step, and for readers without the permission. */
    readonly resendUrl: string | null
    /** The confirmation of the re-send. Null unless it was asked for. */
    readonly resend: ResendForm | null
    /** The number of deliveries that the last form re-sent. Null without such a form. */
    readonly resent: number | null
  }

/** The confirmation of a re-send of the failed deliveries that match a filter. */
export interface ResendForm {
  /** How many deliveries match, up to `most` + 1. */
  readonly count: number
  readonly most: number
  /** The maximum age of their failure. */
  readonly days: number
  /** The filters, as hidden fields. */
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  readonly formKey: string
}

/** An event in a list of the admin area. */
interface EventRow {
  readonly id: string
  readonly eventName: string
  readonly entityId: string
  /** The page of the object; null for an object without a page. */
  readonly objectUrl: string | null
  readonly createdAt: string
}

/** The events of a storefront and mode, with their filters. */
export type EventsPage = AdminList<EventRow> &
  FilterOptions & {
    readonly filters: EventFilters
    readonly chips: readonly FilterChip<'event' | 'object' | 'from' | 'to'>[]
  }

/** An event with its deliveries. */
export interface EventPage extends EventRow {
  /** The exact body that is sent. */
  readonly body: string
  readonly deliveries: readonly DeliveryRow[]
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
  readonly eventUrl: string
  /** The page of the object; null for an object without a page. */
  readonly objectUrl: string | null
  /** The page of the endpoint; null once it is deleted. */
  readonly endpointPath: string | null
  /** Why the last attempt failed, if there is advice for it. */
  readonly failure: FailureKind | null
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

interface AttemptCounts {
  readonly succeeded: number
  readonly failed: number
  /** In tenths of a percent; null without attempts. */
  readonly rate: number | null
}

/** The health of an endpoint. Attempts are in real time, `oldest` on the storefront's clock. */
export interface ShownHealth {
  readonly state: HealthState
  readonly day: AttemptCounts
  readonly week: AttemptCounts
  readonly lastSucceededAt: string | null
  readonly lastFailure: {
    readonly at: string
    /** Null after the retention time of attempts. */
    readonly attempt: {
      readonly deliveryId: string
      readonly status: number | null
      readonly error: string | null
    } | null
  } | null
  readonly waiting: number
  /** Whether more deliveries may wait than were counted. */
  readonly isMoreWaiting: boolean
  readonly oldest: { readonly deliveryId: string; readonly createdAt: string } | null
}

export interface EndpointsPage {
  /** The URL of the export. */
  readonly exportUrl?: string
  readonly endpoints: readonly (AdminEndpoint & { readonly health: ShownHealth })[]
  /** The maximum number of endpoints per storefront and mode. */
  readonly most: number
  /** Null if the reader may not register an endpoint, or if the maximum is reached. */
  readonly form: NewEndpointForm | null
}

/** The response of a receiver to a test event. */
export interface PingResult {
  readonly delivered: boolean
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
}

/** A secret of an endpoint. Pages show at most its last characters. */
export interface ShownSecret {
  /** Its last characters; null for a short secret. */
  readonly hint: string | null
  /** Whether it can be decrypted. */
  readonly isReadable: boolean
}

export interface EndpointPage {
  readonly endpoint: AdminEndpoint
  readonly health: ShownHealth
  /** The form that sends a test event; null if the reader may not send one. */
  readonly ping: { readonly formKey: string; readonly result: PingResult | null } | null
  /** The secret that signs; null if the reader may not change the endpoint. */
  readonly secret: ShownSecret | null
  /** The newest deliveries to the endpoint. */
  readonly deliveries: readonly DeliveryRow[]
  /** Null if the reader may not change the endpoint. */
  readonly form: EndpointForm | null
  /** Null if no replaced secret signs, or if the reader may not end it. */
  readonly previousSecret: (ShownSecret & { readonly until: string; readonly formKey: string }) | null
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
