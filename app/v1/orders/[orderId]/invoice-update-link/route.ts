import * as contract from '@/lib/corrections/contract.ts'
import * as corrections from '@/lib/corrections/operations.ts'
import { route } from '@/lib/platform/route.ts'

export const POST = route(contract.createInvoiceUpdateLink, ({ context, params }) =>
  corrections.createLink(context, params.orderId),
)
