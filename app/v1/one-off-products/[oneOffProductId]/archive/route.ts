import * as contract from '@/lib/catalog/contract.ts'
import * as catalog from '@/lib/catalog/operations.ts'
import { route } from '@/lib/platform/route.ts'

const kind = 'one_off_product'

export const POST = route(contract.archiveProduct, ({ context, params }) =>
  catalog.archive(context, kind, params.oneOffProductId),
)
export const DELETE = route(contract.unarchiveProduct, ({ context, params }) =>
  catalog.unarchive(context, kind, params.oneOffProductId),
)
