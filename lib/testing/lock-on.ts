/** What `raceBehind` holds: the row of a table, so that whoever wants to change it waits. */
export const lockOn = (
  table: 'subscriptions' | 'billing_update_links' | 'invoice_update_links' | 'orders',
  id: string,
) => ({
  sql: `SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`,
  values: [id],
})
