import type { UnknownPayment } from './choose.ts'

export interface Listed extends Pick<UnknownPayment, 'status' | 'usedBy' | 'releasedAt'> {
  readonly hasStorefront: boolean
  /** Whether the provider has refunded the payment, in full or in part. */
  readonly isRefunded: boolean
  /** The subscriptions whose charges can use the unknown payment. */
  readonly subscriptions: readonly string[]
}

export const refundIt = 'refund it at the provider'

/** What happens to an unknown payment, or what the operator must do. */
export function nextStep({ status, usedBy, releasedAt, hasStorefront, isRefunded, subscriptions }: Listed): string {
  const charges = `charge of subscription ${subscriptions.join(' or ')}`
  if (usedBy !== null) return `payment ${usedBy} uses it`
  if (releasedAt !== null) return 'released'
  if (!hasStorefront)
    return isRefunded ? 'nothing: it is refunded' : `${refundIt}, unless another installation has the storefront`
  if (subscriptions.length === 0 && isRefunded) return 'nothing: it is refunded'
  if (subscriptions.length === 0 && status === 'pending') return `cancel it, or ${refundIt} after it is paid`
  if (subscriptions.length === 0) return refundIt
  return isRefunded ? `the ${charges} waits until \`restore release\`: it is refunded` : `${charges} uses it`
}
