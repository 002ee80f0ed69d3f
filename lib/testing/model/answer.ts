import type { RefundView } from './shown.ts'
import type { View } from './world.ts'

/** What the service answers: a refusal hangs on one of `fields`, or on none when there are none. */
export interface Answer {
  readonly status: number
  readonly code?: string
  readonly fields?: readonly string[]
  /** The subscription as the answer shows it. */
  readonly shows?: View
  /** The refund as the answer shows it. */
  readonly showsRefund?: RefundView
}

export const refused = (status: number, code: string): Answer => ({ status, code })
export const invalid = (...fields: string[]): Answer => ({ status: 422, code: 'validation_failed', fields })
