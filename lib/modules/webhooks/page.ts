import type { z } from 'zod'
import type { AdminList, FilteredList } from '../../kernel/list.ts'
import type { WebhookEndpointShape } from './contract.ts'
import type { FailureKind } from './rules/failure.ts'
import type { HealthState } from './rules/health.ts'
import { type DeliveryStatus, deliveryStates } from './rules/state.ts'

export const deliveryStatuses = deliveryStates.states

export interface DeliveryRow {
  readonly id: string
  readonly eventId: string
  readonly eventName: string
  readonly entityId: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly createdAt: string
  readonly nextAttemptAt: string | null
  readonly endpointUrl: string
}

export interface FilterChip<Name extends string = string> {
  readonly name: Name
  readonly value: string
  readonly url: string
}

interface EventFilters {
  readonly event: string | null
  /** The id of the resource that the event is about. */
  readonly object: string | null
  readonly from: string | null
  readonly to: string | null
}

interface FilterOptions {
  readonly listUrl: string
  readonly eventNames: readonly string[]
}

export type DeliveriesPage = FilteredList<DeliveryRow, DeliveryStatus> &
  FilterOptions & {
    readonly filters: EventFilters & { readonly status: DeliveryStatus | null; readonly endpoint: string | null }
    readonly chips: readonly FilterChip<'endpoint' | 'event' | 'object' | 'from' | 'to'>[]
    readonly unfilteredByStatusUrl: string
    readonly endpoints: readonly { readonly id: string; readonly url: string }[]
    /** `resendUrl` leads to the page that confirms a re-send. It is null on the confirmation page, and if the reader's role may not re-send. */
    readonly resendUrl: string | null
    /** `resend` is null unless the reader requested the confirmation of a re-send. */
    readonly resend: ResendForm | null
    /** The number of deliveries that the last form re-sent; null if no form was sent. */
    readonly resent: number | null
  }

export interface ResendForm {
  readonly count: number
  readonly most: number
  readonly days: number
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  readonly formKey: string
}

interface EventRow {
  readonly id: string
  readonly eventName: string
  readonly entityId: string
  /** `objectUrl` is null for a resource without a page. */
  readonly objectUrl: string | null
  /** `objectName` is the name of the resource at the time of the event; null for a resource without a name. */
  readonly objectName: string | null
  readonly createdAt: string
}

export type EventsPage = AdminList<EventRow> &
  FilterOptions & {
    readonly filters: EventFilters
    readonly chips: readonly FilterChip<'event' | 'object' | 'from' | 'to'>[]
  }

export interface EventPage extends EventRow {
  readonly body: string
  readonly deliveries: readonly DeliveryRow[]
}

interface DeliveryAttempt {
  readonly number: number
  readonly startedAt: string
  readonly durationMs: number
  /** The HTTP status; null if no response arrived. */
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
  /** The header Service-Signature as it was sent; null if no request was sent. */
  readonly signature: string | null
}

export interface DeliveryPage extends DeliveryRow {
  /** In test mode, the times of attempts are on the real clock, and all other times on the test clock. */
  readonly testmode: boolean
  readonly eventUrl: string
  readonly objectUrl: string | null
  /** `objectName` is the name of the resource at the time of the event; null for a resource without a name. */
  readonly objectName: string | null
  /** `endpointPath` is the page of the endpoint; null after the endpoint was deleted. */
  readonly endpointPath: string | null
  /** `failure` is null if the page has no advice for the failure. */
  readonly failure: FailureKind | null
  readonly body: string
  readonly log: readonly DeliveryAttempt[]
  readonly canResend: boolean
  readonly mayResend: boolean
  readonly formKey: string
}

type AdminEndpoint = z.infer<typeof WebhookEndpointShape>

export interface EndpointForm {
  readonly url: string
  readonly enabledEvents: readonly string[]
  readonly eventNames: readonly string[]
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

export interface NewEndpointForm extends EndpointForm {
  /** A random secret, which stays the same when a form with a problem is shown again. */
  readonly suggestedSecret: string
  /** The suggested secret, encrypted. The form sends it back in the hidden field `sealedSecret`. */
  readonly sealedSecret: string
}

interface AttemptCounts {
  readonly succeeded: number
  readonly failed: number
  /** `rate` is in tenths of a percent; null if no attempt was made. */
  readonly rate: number | null
}

/** Times of attempts are in real time. The time in `oldest` is on the storefront's clock. */
export interface ShownHealth {
  readonly state: HealthState
  readonly day: AttemptCounts
  readonly week: AttemptCounts
  readonly lastSucceededAt: string | null
  readonly lastFailure: {
    readonly at: string
    /** `attempt` is null if the attempt has been deleted at the end of its retention time. */
    readonly attempt: {
      readonly deliveryId: string
      readonly status: number | null
      readonly error: string | null
    } | null
  } | null
  readonly waiting: number
  readonly isMoreWaiting: boolean
  readonly oldest: { readonly deliveryId: string; readonly createdAt: string } | null
}

export interface EndpointsPage {
  readonly exportUrl?: string
  readonly endpoints: readonly (AdminEndpoint & { readonly health: ShownHealth })[]
  readonly most: number
  /** `form` is null if the reader's role may not register an endpoint, or if the storefront has `most` endpoints. */
  readonly form: NewEndpointForm | null
}

export interface PingResult {
  readonly delivered: boolean
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
}

export interface ShownSecret {
  /** The last characters of the secret; null for a short secret. */
  readonly hint: string | null
  readonly isReadable: boolean
}

export interface EndpointPage {
  readonly endpoint: AdminEndpoint
  readonly health: ShownHealth
  readonly ping: { readonly formKey: string; readonly result: PingResult | null } | null
  readonly secret: ShownSecret | null
  readonly deliveries: readonly DeliveryRow[]
  readonly form: EndpointForm | null
  /** `previousSecret` is null if no replaced secret is in use, or if the reader's role may not end its use. */
  readonly previousSecret: (ShownSecret & { readonly until: string; readonly formKey: string }) | null
  readonly failed: FailedForm | null
}

interface FailedForm {
  /** The number of deliveries that failed in the last `days` days and can be re-sent. `most` + 1 means that more than `most` deliveries exist. */
  readonly count: number
  readonly most: number
  readonly days: number
  /** The initial value of the form field, in UTC, such as `2027-01-31T09:30`: the entered time, or the time one day ago. */
  readonly since: string
  readonly problem: string | null
  readonly formKey: string
}
