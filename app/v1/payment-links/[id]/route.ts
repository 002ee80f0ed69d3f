import * as contract from '@/lib/modules/payment-links/contract.ts'
import * as paymentLinks from '@/lib/modules/payment-links/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const GET = route(contract.getPaymentLink, ({ context, params }) => paymentLinks.get(context, params.id))
export const PATCH = route(contract.updatePaymentLink, ({ context, params, body }) =>
  paymentLinks.update(context, params.id, body),
)
