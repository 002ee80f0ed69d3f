import { type Fragment, fragment } from '../../platform/db/fragment.ts'

/** The checkouts of a customer, as one list that indexes serve. */
export const checkoutsOf = (customerId: string): Fragment => fragment`
  SELECT id FROM checkouts WHERE customer_id = ${customerId}
  UNION SELECT checkout_id FROM orders WHERE customer_id = ${customerId}`
