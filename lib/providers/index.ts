import type { Currency } from '../kernel/money.ts'
import type { MethodsFor, PaymentProvider } from '../modules/payments/provider.ts'
import { brokenLimit, type ChargeLimits, noLimits } from '../modules/payments/rules/charge-limits.ts'
import { mandateMadeBy } from '../modules/payments/rules/mandate-of-method.ts'
import { type PaymentMethod, testMethods } from '../modules/payments/rules/method.ts'
import { moves } from '../modules/payments/rules/offer.ts'
import { isSimulated, type Payment } from '../modules/payments/store.ts'
import type { TestControls } from '../modules/payments/test-controls.ts'
import { accountNamed } from '../modules/provider-accounts/names.ts'
import { accountsOf, currentAccount } from '../modules/provider-accounts/store.ts'
import type { Mandate } from '../modules/subscriptions/rules/index.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db, type Sql } from '../platform/db/db.ts'
import { registry } from './registry.ts'

export function providerNamed(name: string): PaymentProvider | null {
  const known = registry.providers.find((each) => each.name === name)
  if (known) return known
  const account = accountNamed(name)
  return account && registry.at(account)
}

/** The provider of an existing payment. Throws for a simulated payment, which has no provider. */
export function providerFor(payment: Pick<Payment, 'provider'>): PaymentProvider {
  if (isSimulated(payment)) throw new Error('a simulated payment has no provider')
  const provider = providerNamed(payment.provider)
  if (!provider) throw new Error(`a payment has the unknown provider ${payment.provider}`)
  return provider
}

export const takesPayments = async (tenant: Tenant): Promise<boolean> => (await ofNewPayments(tenant)) !== null

/** The provider of a storefront's new payments. Throws if the storefront has no provider (see `takesPayments`). */
export async function providerOf(tenant: Tenant, sql: Sql = db()): Promise<PaymentProvider> {
  const provider = await ofNewPayments(tenant, sql)
  if (!provider) throw new Error('live payments are not set up')
  return provider
}

async function ofNewPayments(tenant: Tenant, sql: Sql = db()): Promise<PaymentProvider | null> {
  if (tenant.testmode) return registry.ofNewPayments.test
  const own = await currentAccount(sql, tenant)
  return own ? registry.at(own) : registry.ofNewPayments.live
}

type Charged = Pick<Mandate, 'provider' | 'method'>

/** The limits of one charge, from the provider's latest response. Null if the mandate cannot be charged. */
export const chargeLimitsOn = ({ provider, method }: Charged, currency: Currency): ChargeLimits | null =>
  limitsAt(providerNamed(provider), method, currency)

function limitsAt(
  provider: PaymentProvider | null,
  method: Mandate['method'],
  currency: Currency,
): ChargeLimits | null {
  const limits = provider?.chargeLimits ? provider.chargeLimits(method, currency) : noLimits
  const least = provider?.leastCharge?.(currency) ?? 0n
  return limits && { ...limits, least: least > limits.least ? least : limits.least }
}

export const learnChargeLimits = async ({ provider }: Charged, currency: Currency): Promise<void> =>
  providerNamed(provider)?.learnLimits?.(currency)

export const providerWith = registry.at

/**
 * Returns the payment methods that the buyer can choose. Returns no method if an amount is below the provider's minimum
 * charge. If the sale sets up a mandate, excludes methods whose mandate would not permit an amount in `renewals`.
 */
export async function methodsOnOffer(
  tenant: Tenant,
  { renewals = [], ...sale }: MethodsFor & { renewals?: readonly bigint[] },
): Promise<readonly PaymentMethod[]> {
  const provider = await ofNewPayments(tenant)
  const { currency, minor } = sale.amount
  const least = provider?.leastCharge?.(currency) ?? 0n
  if ([minor, ...renewals].some((each) => each > 0n && each < least)) return []
  const taken = (await provider?.methods?.(tenant, sale)) ?? testMethods
  if (sale.makesMandate) await provider?.learnLimits?.(currency)
  const isCollected = (method: PaymentMethod) => {
    const made = mandateMadeBy[method]
    const limits = made && limitsAt(provider, made, currency)
    return limits !== null && renewals.every((each) => brokenLimit(each, limits) === null)
  }
  return taken.filter((method) => moves(method, currency) && (!sale.makesMandate || isCollected(method)))
}

export async function connectedProviders(): Promise<readonly PaymentProvider[]> {
  return [...registry.connected(), ...(await accountsOf(db())).map((account) => registry.at(account))]
}

export const plainHttpPaymentOrigins = (): readonly string[] => [
  ...new Set(registry.providers.flatMap((provider) => provider.plainHttpOrigins?.() ?? [])),
]

export const testControlsFor = (payment: Pick<Payment, 'provider'>): TestControls | null =>
  isSimulated(payment) ? null : (providerFor(payment).testControls ?? null)

export const allTestControls = (): TestControls[] =>
  registry.providers.flatMap(({ testControls }) => testControls ?? [])

export const providerJobs = registry.jobs

export { fetchPastRates, fetchRates } from './ecb/client.ts'
export { askHmrc, hmrcProblem } from './hmrc/client.ts'
export { knowsPayment, requireSameAccount } from './live-payments/account-fit.ts'
export { askedPaymentTables } from './live-payments/asked-payments.ts'
export {
  type ServiceName,
  type ServiceStates,
  serviceStates,
  serviceTroubles,
  unknownServiceStates,
} from './service-states.ts'
export { askVies } from './vies/client.ts'
