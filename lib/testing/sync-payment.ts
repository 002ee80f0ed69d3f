import type { RequestContext } from '../platform/jobs/transact.ts'
import { syncWithProvider as sync } from '../workflows/collection/sync-payment.ts'
import { pagePayments } from '../workflows/provider-notices/page-payments.ts'

export const syncWithProvider = (context: RequestContext, ref: string): Promise<void> =>
  sync(context, ref, pagePayments)
