import type { SellerView } from '../checkouts/page.ts'
import type { Seller } from './rules/order.ts'

/** The seller as pages and mails show it. */
export const sellerView = ({ name, street, postalCode, city, country, vatId }: Seller): SellerView => ({
  name,
  addressLines: [street, `${postalCode} ${city}`],
  country,
  vatId,
})
