import { fragment } from '../../platform/db/fragment.ts'

/** The kind of statement line that contains an entry. An order with an invoice is written off only after the return of its direct debit. */
export const statementKind = fragment`CASE WHEN cause = 'order.tax_corrected' THEN 'refund' WHEN cause = 'order.written_off' THEN 'return'
  ELSE split_part(cause, '.', 1) END`

/** The kind of figures that contains an entry. Differs from `statementKind`, because the figures of closed days must not change. */
export const figureKind = fragment`CASE WHEN cause = 'order.tax_corrected' THEN 'refund' WHEN cause LIKE 'return.%' THEN 'chargeback'
  ELSE split_part(cause, '.', 1) END`
