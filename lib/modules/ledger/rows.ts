import { fragment } from '../../platform/db/fragment.ts'

/** The line of a statement to which an entry belongs. */
export const statementKind = fragment`CASE WHEN cause = 'order.tax_corrected' THEN 'refund' WHEN cause LIKE 'return.%' THEN 'chargeback'
  ELSE split_part(cause, '.', 1) END`
