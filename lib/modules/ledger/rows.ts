import { fragment } from '../../platform/db/fragment.ts'

/**
 * The kind of statement line that contains an entry. A write-off has the kind `return`, because an order with an
 * invoice is written off only after its direct debit was returned.
 */
export const statementKind = fragment`CASE WHEN cause = 'order.tax_corrected' THEN 'refund' WHEN cause = 'order.written_off' THEN 'return'
  ELSE split_part(cause, '.', 1) END`

/**
 * The kind of figures that contains an entry. Returned debits count as disputes, unlike in `statementKind`, because
 * another kind would change the figures of closed days.
 */
export const figureKind = fragment`CASE WHEN cause = 'order.tax_corrected' THEN 'refund' WHEN cause LIKE 'return.%' THEN 'chargeback'
  ELSE split_part(cause, '.', 1) END`
