import { addressLines } from '../../kernel/address.ts'
import type { SellerView } from '../checkouts/page.ts'
import type { Seller } from './rules/order.ts'

/** The seller as pages and emails show it. */
export const sellerView = ({ name, street, postalCode, city, country, vatId }: Seller): SellerView => ({
  name,
  addressLines: addressLines(
    { streetAndNumber: street, streetAdditional: null, postalCode, city, region: null },
    country,
  ),
  country,
  vatId,
})
