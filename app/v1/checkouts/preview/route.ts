import * as contract from '@/lib/modules/checkouts/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as previews from '@/lib/workflows/sale/operations.ts'

export const POST = route(contract.previewCheckout, ({ context, body }) => previews.preview(context, body), {
  validateReferences: ({ context, body }) => previews.validateReferences(context, body),
})
