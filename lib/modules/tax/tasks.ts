import { z } from 'zod'
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
