import { z } from 'zod'
import type { Tenant } from '../../platform/clock/clock.ts'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * Asks the registry for a tax ID of a buyer (ISO 3166-1 alpha-2 `country`), unless it has answered since `freshSince`
 * (ISO 8601), and again until it answers, counted from `begunAt`.
 */
export const checkTaxIdLater = task(
  'tax.check_id',
  z.object({ taxId: z.string(), country: z.string(), freshSince: z.string(), begunAt: z.string() }),
  { clock: 'real' },
)

/** The key of a question that is not of a subscription: one of a storefront is not another one's. */
export const taxIdKey = ({ storefrontId }: Pick<Tenant, 'storefrontId'>, canonicalTaxId: string): string =>
  `${storefrontId} ${canonicalTaxId}`
