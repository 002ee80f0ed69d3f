import type { RefundView } from './views.ts'
import type { View } from './world.ts'

/**
 * The expected response of the service. With `fields`, a refusal must name at least one of these fields, and no other
 * field.
 */
export interface Answer {
  readonly status: number
  readonly code?: string
  readonly fields?: readonly string[]
  readonly shows?: View
  readonly showsRefund?: RefundView
}

export const refused = (status: number, code: string): Answer => ({ status, code })
export const invalid = (...fields: string[]): Answer => ({ status: 422, code: 'validation_failed', fields })
