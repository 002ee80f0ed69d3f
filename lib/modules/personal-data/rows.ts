import { type Fragment, fragment } from '../../platform/db/fragment.ts'

/** The checkouts that name a customer, and those that the customer bought by: one list, which indexes find. */
export const checkoutsOf = (customerId: string): Fragment => fragment`
  SELECT id FROM checkouts WHERE customer_id = ${customerId}
  UNION SELECT checkout_id FROM orders WHERE customer_id = ${customerId}`
