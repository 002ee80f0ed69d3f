import { z } from 'zod'
import type { Tenant } from '../../platform/clock/clock.ts'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * `country` is ISO 3166-1 alpha-2. Does nothing if the registry has responded since `freshSince` (ISO 8601). Repeats
 * until the registry responds, with delays counted from `begunAt`.
 */
export const checkTaxIdLater = task(
  'tax.check_id',
  z.object({ taxId: z.string(), country: z.string(), freshSince: z.string(), begunAt: z.string() }),
  { clock: 'real' },
)

/** The key contains the storefront, so that storefronts do not share checks. */
export const taxIdKey = ({ storefrontId }: Pick<Tenant, 'storefrontId'>, canonicalTaxId: string): string =>
  `${storefrontId} ${canonicalTaxId}`
