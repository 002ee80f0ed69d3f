import { fragment } from '../../platform/db/fragment.ts'

/** The kind of statement line that contains an entry. */
export const statementKind = fragment`CASE WHEN cause = 'order.tax_corrected' THEN 'refund' WHEN cause LIKE 'return.%' THEN 'chargeback'
  ELSE split_part(cause, '.', 1) END`
