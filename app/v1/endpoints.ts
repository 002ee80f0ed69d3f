import * as billingUpdates from '@/lib/modules/billing-updates/contract.ts'
import * as catalog from '@/lib/modules/catalog/contract.ts'
import * as chargebacks from '@/lib/modules/chargebacks/contract.ts'
import * as checkouts from '@/lib/modules/checkouts/contract.ts'
import * as customers from '@/lib/modules/customers/contract.ts'
import * as invoiceUpdates from '@/lib/modules/invoice-updates/contract.ts'
import * as orders from '@/lib/modules/orders/contract.ts'
import * as paymentLinks from '@/lib/modules/payment-links/contract.ts'
import * as portal from '@/lib/modules/portal/contract.ts'
import * as refunds from '@/lib/modules/refunds/contract.ts'
import * as subscriptions from '@/lib/modules/subscriptions/contract.ts'
import * as subscriptionPreviews from '@/lib/modules/subscriptions/preview-contract.ts'
import * as testmode from '@/lib/modules/test-helpers/contract.ts'
import * as webhooks from '@/lib/modules/webhooks/contract.ts'
import type { Endpoint } from '@/lib/platform/http/endpoint.ts'

const contracts = [
  catalog,
  customers,
  portal,
  checkouts,
  paymentLinks,
  orders,
  invoiceUpdates,
  refunds,
  chargebacks,
  subscriptions,
  subscriptionPreviews,
  billingUpdates,
  webhooks,
  testmode,
]

export const endpoints: readonly Endpoint[] = contracts.flatMap((contract) =>
  Object.values(contract).filter((value): value is Endpoint => typeof value === 'object' && 'refuses' in value),
)
