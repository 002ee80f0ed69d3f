/** A row lock for `raceBehind`. Every change of the row waits for the lock. */
export const lockOn = (
  table:
    | 'subscriptions'
    | 'billing_update_links'
    | 'invoice_update_links'
    | 'orders'
    | 'checkouts'
    | 'merchants'
    | 'member_invitations'
    | 'operators'
    | 'customers',
  id: string,
) => ({
  sql: `SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`,
  values: [id],
})
