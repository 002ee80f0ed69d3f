import { adminText as t } from './text.ts'

const brands: Readonly<Record<string, string>> = { mollie: 'Mollie', stripe: 'Stripe' }

/** The name of a payment provider, with the account id in parentheses if a storefront has its own account: `mollie-acc` becomes `Mollie (acc)`. */
export function providerName(provider: string): string {
  if (provider === 'sandbox') return t('providers.sandbox')
  const [name = '', ...account] = provider.split('-')
  const brand = brands[name]
  if (brand === undefined) return provider
  return account.length === 0 ? brand : `${brand} (${account.join('-')})`
}
