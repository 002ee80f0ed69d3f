import type { z } from 'zod'
import { hostedPath } from '../../kernel/hosted-pages.ts'
import { toWire } from '../../kernel/moment.ts'
import { linkToken } from '../../platform/crypto/sealed.ts'
import { apiLink, pageLink, pageUrl } from '../../platform/http/links.ts'
import { wireMetadata } from '../../platform/http/shapes.ts'
import type { CheckoutShape } from './contract.ts'
import type { Checkout } from './rules/index.ts'

export const checkoutPath = (checkoutId: string): string => hostedPath('checkout', linkToken('checkout', checkoutId))

export const checkoutResource = (checkout: Checkout, orderId: string | null): z.infer<typeof CheckoutShape> => ({
  id: checkout.id,
  resource: 'checkout',
  testmode: checkout.testmode,
  orderId,
  customerId: checkout.customerId,
  redirectUrlSuccess: checkout.redirectUrlSuccess ?? pageUrl(checkoutPath(checkout.id)),
  redirectUrlCanceled: checkout.redirectUrlCanceled,
  metadata: wireMetadata(checkout.metadata),
  locale: checkout.locale,
  paymentLinkId: checkout.paymentLinkId,
  status: checkout.status,
  expiresAt: toWire(checkout.expiresAt),
  createdAt: toWire(checkout.createdAt),
  links: {
    checkoutUrl: pageLink(checkoutPath(checkout.id)),
    self: apiLink(`/checkouts/${checkout.id}`),
    order: orderId === null ? null : apiLink(`/orders/${orderId}`),
  },
})
