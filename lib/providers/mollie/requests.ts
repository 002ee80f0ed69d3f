import type { Locale } from '../../kernel/locale.ts'
import { formatMoney, type Money } from '../../kernel/money.ts'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'

type FirstPayment = Parameters<PaymentProvider['createFirstPayment']>[1]

export const paymentBody = (
  account: string,
  tenant: Tenant,
  { idempotencyKey, orderId, amount }: Pick<FirstPayment, 'idempotencyKey' | 'orderId' | 'amount'>,
) => ({
  amount: amountOf(amount),
  description: `${config().seller.name} ${orderId}`,
  ...noticesTo(account),
  metadata: { payment: idempotencyKey, order: orderId, storefront: tenant.storefrontId },
})

/**
 * Returns no webhook URL on a local machine, because Mollie refuses a webhook URL that it cannot reach. Without
 * webhooks, payments are polled.
 */
function noticesTo(account: string): { webhookUrl?: string } {
  const { publicBaseUrl } = config()
  const isHere = /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(new URL(publicBaseUrl).hostname)
  return isHere ? {} : { webhookUrl: `${publicBaseUrl}/api/providers/${account}` }
}

export const amountOf = (money: Money) => ({ currency: money.currency, value: formatMoney(money) })

export const localeOf: Readonly<Record<Locale, string>> = {
  de: 'de_DE',
  en: 'en_GB',
  es: 'es_ES',
  fr: 'fr_FR',
  it: 'it_IT',
  nl: 'nl_NL',
  pl: 'pl_PL',
  pt: 'pt_PT',
}
