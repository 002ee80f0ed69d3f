import * as contract from '@/lib/catalog/contract.ts'
import * as catalog from '@/lib/catalog/operations.ts'
import { route } from '@/lib/platform/route.ts'

const kind = 'one_off_product'

export const GET = route(contract.listProducts, ({ caller, query, url }) => catalog.list(caller, kind, query, url))
export const POST = route(contract.createProduct, ({ caller, body }) => catalog.create(caller, kind, body))
