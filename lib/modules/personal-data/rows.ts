import { type Fragment, fragment } from '../../platform/db/fragment.ts'

/** The query uses UNION instead of OR, so that each part uses an index. */
export const checkoutsOf = (customerId: string): Fragment => fragment`
  SELECT id FROM checkouts WHERE customer_id = ${customerId}
  UNION SELECT checkout_id FROM orders WHERE customer_id = ${customerId}`
