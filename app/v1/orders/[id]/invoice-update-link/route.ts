import * as contract from '@/lib/modules/invoice-updates/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as invoiceUpdates from '@/lib/workflows/invoice-update/operations.ts'

export const POST = route(contract.createInvoiceUpdateLink, ({ context, params }) =>
  invoiceUpdates.createLink(context, params.id),
)
