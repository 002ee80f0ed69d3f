/** The names of the columns of the CSV files, in their order. `csvTable` does not compile if the names differ from the fields of the rows. */
export const taxColumns = {
  oss: ['record', 'period', 'country', 'rateType', 'rate', 'taxable', 'tax', 'status'],
  salesList: ['period', 'country', 'number', 'kind', 'amount', 'status'],
  thresholds: [
    ...(['period', 'country', 'sold', 'threshold', 'currency', 'counts', 'within'] as const),
    ...(['counted', 'percent', 'standing', 'registered', 'since', 'law', 'status'] as const),
  ],
  totals: [
    ...(['period', 'declaration', 'country', 'tax', 'rate', 'documents', 'currency'] as const),
    ...(['taxable', 'taxAmount', 'ledger', 'difference', 'status'] as const),
  ],
} as const
