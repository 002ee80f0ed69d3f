import * as billing from '@/lib/billing/contract.ts'
import * as catalog from '@/lib/catalog/contract.ts'
import * as chargebacks from '@/lib/chargebacks/contract.ts'
import * as checkouts from '@/lib/checkouts/contract.ts'
import * as corrections from '@/lib/corrections/contract.ts'
import * as customers from '@/lib/customers/contract.ts'
import * as orders from '@/lib/orders/contract.ts'
import type { Endpoint } from '@/lib/platform/endpoint.ts'
import * as refunds from '@/lib/refunds/contract.ts'
import * as subscriptions from '@/lib/subscriptions/contract.ts'
import * as testmode from '@/lib/testmode/contract.ts'
import * as webhooks from '@/lib/webhooks/contract.ts'

const contracts = [
  catalog,
  customers,
  checkouts,
  orders,
  corrections,
  refunds,
  chargebacks,
  subscriptions,
  billing,
  webhooks,
  testmode,
]

/** Every endpoint value of the interface. A test holds them against the route files. */
export const endpoints: readonly Endpoint[] = contracts.flatMap((contract) =>
  Object.values(contract).filter((value): value is Endpoint => typeof value === 'object' && 'refuses' in value),
)
