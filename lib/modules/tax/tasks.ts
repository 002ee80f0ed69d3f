import { z } from 'zod'
import type { Tenant } from '../../platform/clock/clock.ts'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * Repeats the check of a tax ID until the registry responds, for at most 30 days after `begunAt`. Does nothing if the registry has responded since
 * `freshSince`. A check before a renewal (`renewal`) does nothing if the renewal was moved or canceled, or has another tax ID. All times are in ISO 8601.
 * `lib/workflows/tax-ids` runs this task.
 */
export const checkTaxIdLater = task(
  'tax.check_id',
  z.object({
    taxId: z.string(),
    country: z.string(),
    freshSince: z.string(),
    begunAt: z.string(),
    renewal: z.object({ subscriptionId: z.string(), at: z.string() }).optional(),
  }),
  { clock: 'real' },
)

export const taxIdKey = ({ storefrontId }: Pick<Tenant, 'storefrontId'>, canonicalTaxId: string): string =>
  `${storefrontId} ${canonicalTaxId}`
