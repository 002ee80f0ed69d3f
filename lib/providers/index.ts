import type { MethodsFor, PaymentProvider } from '../modules/payments/provider.ts'
import { type PaymentMethod, paymentMethods } from '../modules/payments/rules/method.ts'
import { moves } from '../modules/payments/rules/offer.ts'
import { isSimulated, type Payment } from '../modules/payments/store.ts'
import type { TestControls } from '../modules/payments/test-controls.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { registry } from './registry.ts'

/** The provider of this name; null if there is none. */
export const providerNamed = (name: string): PaymentProvider | null =>
  registry.providers.find((each) => each.name === name) ?? null

/**
 * The provider of a payment. This is the one place that knows all providers. Throws on a simulated payment: a test
 * helper decides its outcome, and no provider knows it.
 */
export function providerFor(payment: Pick<Payment, 'provider'>): PaymentProvider {
  if (isSimulated(payment)) throw new Error('a simulated payment has no provider')
  const provider = providerNamed(payment.provider)
  if (!provider) throw new Error(`a payment is of the unknown provider ${payment.provider}`)
  return provider
}

/** Whether buyers can pay in a mode. */
export const takesPayments = ({ testmode }: Pick<Tenant, 'testmode'>): boolean => ofMode(testmode) !== null

/** The provider of new payments in a mode. Throws if the mode has none (see `takesPayments`). */
export function providerOf({ testmode }: Pick<Tenant, 'testmode'>): PaymentProvider {
  const provider = ofMode(testmode)
  if (!provider) throw new Error('live payments are not set up')
  return provider
}

const ofMode = (testmode: boolean) => registry.ofNewPayments[testmode ? 'test' : 'live']

/** The methods that new payments of a mode can be made with: those of the provider that move the currency. */
export async function methodsOnOffer(tenant: Tenant, sale: MethodsFor): Promise<readonly PaymentMethod[]> {
  const taken = (await ofMode(tenant.testmode)?.methods?.(tenant, sale)) ?? paymentMethods
  return taken.filter((method) => moves(method, sale.amount.currency))
}

/** The providers of live payments that have an account. */
export const connectedProviders = (): readonly PaymentProvider[] => registry.connected()

/** Origins of live payment pages that are not reached by https. */
export const plainHttpPaymentOrigins = (): readonly string[] =>
  connectedProviders().flatMap((provider) => provider.plainHttpOrigins?.() ?? [])

/** `ok`, or what is wrong with the connection to a provider of live payments; null without one. */
export function livePaymentsState(): string | null {
  const states = connectedProviders().map(({ state }) => state?.() ?? 'ok')
  return states.find((state) => state !== 'ok') ?? states[0] ?? null
}

/** The test controls of a payment's provider; null if it has none, or if no provider knows the payment. */
export const testControlsFor = (payment: Pick<Payment, 'provider'>): TestControls | null =>
  isSimulated(payment) ? null : (providerFor(payment).testControls ?? null)

/** The test controls of all providers, by the provider's name. */
export const allTestControls = (): TestControls[] =>
  registry.providers.flatMap(({ testControls }) => testControls ?? [])

/** The jobs of the providers' own tasks. */
export const providerJobs = registry.jobs

/** The day's reference rates of the euro. */
export { fetchRates } from './ecb/client.ts'
/** The registry of VAT IDs. */
export { askVies } from './vies/client.ts'
