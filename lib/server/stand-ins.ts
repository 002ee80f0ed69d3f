import type { Config } from '../platform/config.ts'
import { type LiveProviderName, liveProvider, liveProviderNames } from '../platform/config-providers.ts'

/**
 * The settings that can contain the address of a simulated service (`npm run stand-in`) instead of an external service.
 */
export type ServiceSettings = Pick<Config, 'providerBases' | 'vies' | 'hmrc' | 'ecbRatesUrl'>

export interface StandIn {
  readonly variable: string
  readonly address: string
}

/**
 * An http address belongs to a simulated service on this machine, because the configuration requires https for external
 * services.
 */
const onThisMachine = (services: readonly StandIn[]): StandIn[] =>
  services.filter(({ address }) => address.startsWith('http://'))

export const paymentStandIns = (
  { providerBases }: Pick<ServiceSettings, 'providerBases'>,
  inUse: (name: LiveProviderName) => boolean,
): StandIn[] =>
  onThisMachine(
    liveProviderNames
      .filter(inUse)
      .map((name) => ({ variable: liveProvider(name).base.variable, address: providerBases[name] })),
  )

/** Returns the simulated tax ID registries and the simulated source of exchange rates that are configured. */
export const registryStandIns = ({ vies, hmrc, ecbRatesUrl }: Omit<ServiceSettings, 'providerBases'>): StandIn[] =>
  onThisMachine([
    { variable: 'VIES_API_BASE', address: vies.apiBase },
    { variable: 'HMRC_API_BASE', address: hmrc?.apiBase ?? '' },
    { variable: 'ECB_RATES_URL', address: ecbRatesUrl },
  ])

/**
 * Returns a sentence that lists the configured simulated services and says how to end their use:
 * `MOLLIE_API_BASE=http://127.0.0.1:4010. Remove this variable …`.
 */
export function listed(standIns: readonly StandIn[]): string {
  const addresses = standIns.map(({ variable, address }) => `${variable}=${address}`).join(', ')
  return `${addresses}. Remove ${standIns.length === 1 ? 'this variable' : 'these variables'} for real sales.`
}
