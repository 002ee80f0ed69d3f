import * as contract from '@/lib/modules/payment-links/contract.ts'
import * as paymentLinks from '@/lib/modules/payment-links/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const GET = route(contract.listPaymentLinks, ({ context, query, url }) => paymentLinks.list(context, query, url))
export const POST = route(contract.createPaymentLink, ({ context, body }) => paymentLinks.create(context, body), {
  validateReferences: ({ context, body }) => paymentLinks.validateReferences(context, body),
})
