import type { z } from 'zod'
import { hostedPath } from '../../kernel/hosted-pages.ts'
import { toWire } from '../../kernel/moment.ts'
import { apiLink, pageUrl } from '../../platform/http/links.ts'
import { wireMetadata, wireMoney } from '../../platform/http/shapes.ts'
import type { PaymentLinkShape } from './contract.ts'
import { codeOf, type PaymentLink } from './rules/payment-link.ts'

export const buyPath = (id: string): string => hostedPath('buy', codeOf(id))

export const paymentLinkResource = (link: PaymentLink): z.infer<typeof PaymentLinkShape> => ({
  id: link.id,
  resource: 'payment_link',
  testmode: link.testmode,
  name: link.name,
  url: pageUrl(buyPath(link.id)),
  active: link.active,
  items: link.items.map(({ productId, quantity, range, price, trialDays, metadata }) => ({
    id: productId,
    quantity,
    minQuantity: range?.min ?? null,
    maxQuantity: range?.max ?? null,
    price: price === null ? null : wireMoney({ minor: price, currency: 'EUR' }),
    trialDays,
    metadata: wireMetadata(metadata),
  })),
  redirectUrlSuccess: link.redirectUrlSuccess,
  locale: link.locale,
  metadata: wireMetadata(link.metadata),
  createdAt: toWire(link.createdAt),
  links: { self: apiLink(`/payment-links/${link.id}`) },
})
