import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Asks a registry again about a tax ID that it did not answer for. In real time: a registry follows no test clock. */
export const checkTaxIdAgain = task('tax_id.check', z.object({ taxId: z.string() }), { clock: 'real' })
