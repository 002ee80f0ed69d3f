import { addressLines } from '../../kernel/address.ts'
import type { SellerView } from '../checkouts/page.ts'
import type { EmailSeller } from '../emails/rules/email.ts'
import type { Seller } from './rules/order.ts'

export const sellerView = ({ name, street, postalCode, city, country, vatId, email = null }: Seller): SellerView => ({
  name,
  addressLines: addressLines(
    { streetAndNumber: street, streetAdditional: null, postalCode, city, region: null },
    country,
  ),
  country,
  vatId,
  email,
})

export function sellerInEmail(seller: Seller): EmailSeller {
  const { vatId, ...shown } = sellerView(seller)
  return shown
}
