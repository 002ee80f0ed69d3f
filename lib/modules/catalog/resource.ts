import { toWire } from '../../kernel/moment.ts'
import { apiLink } from '../../platform/http/links.ts'
import { wireMoney } from '../../platform/http/shapes.ts'
import { differingFields, type Product, type Terms } from './rules/index.ts'

const paths = { subscription_plan: 'subscription-plans', one_off_product: 'one-off-products' } as const

const wireTerms = ({ name, description, price, productType, billingInterval }: Terms) => ({
  name,
  description,
  basePrice: wireMoney(price),
  productType,
  interval: billingInterval?.interval,
  intervalCount: billingInterval?.intervalCount,
})

export function productResource(product: Product) {
  const { id, kind, testmode, terms, pendingTerms } = product
  const { productType, ...live } = wireTerms(terms)
  const pending = pendingTerms && wireTerms(pendingTerms)
  return {
    id,
    resource: kind,
    testmode,
    ...live,
    taxBehavior: product.taxBehavior,
    productType,
    status: product.status,
    archivedAt: product.archivedAt && toWire(product.archivedAt),
    pendingUpdates:
      pending && Object.fromEntries(differingFields(terms, pendingTerms).map((field) => [field, pending[field]])),
    updateStatus: pendingTerms ? product.review : null,
    createdAt: toWire(product.createdAt),
    links: { self: apiLink(`/${paths[kind]}/${id}`) },
  }
}
