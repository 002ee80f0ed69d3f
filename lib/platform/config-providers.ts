import { z } from 'zod'
import { parsed, secret, serviceOf } from './config-values.ts'

const service = parsed(serviceOf, 'must be an https address, or an http address on this machine')

/** Keys of live accounts, by the provider: a key of another mode is refused. */
const keys = {
  mollie: z
    .string()
    .regex(/^live_\w{4,100}$/, 'must be a live key of Mollie, which begins with live_: test mode needs none'),
  stripe: z
    .string()
    .regex(
      /^[sr]k_live_\w{4,200}$/,
      'must be a live key of Stripe, which begins with sk_live_ or rk_live_: test mode needs none',
    ),
}
const accessToken = z
  .string()
  .regex(/^access_\w{4,200}$/, 'must be an access token of Mollie with settlements.read, which begins with access_')

/** The environment variables of the accounts that take live payments. */
export const providerVariables = {
  MOLLIE_API_KEY: keys.mollie.optional(),
  MOLLIE_API_BASE: service.optional(),
  MOLLIE_ACCESS_TOKEN: accessToken.optional(),
  STRIPE_API_KEY: keys.stripe.optional(),
  STRIPE_API_BASE: service.optional(),
  STRIPE_WEBHOOK_SECRET: secret.optional(),
  LIVE_PAYMENTS: z.enum(['mollie', 'stripe'], 'must be "mollie" or "stripe"').optional(),
}

/** The variable with the key of each account that takes live payments. */
export const keyOf = { mollie: 'MOLLIE_API_KEY', stripe: 'STRIPE_API_KEY' } as const

/** A provider that takes live payments. */
export type LiveProviderName = keyof typeof keyOf

/** What opens an account at a provider, by the provider's rules; each sentence of a refusal is about one field. */
export const credentialsAt = {
  mollie: z.strictObject({ apiKey: keys.mollie, accessToken: accessToken.optional() }),
  stripe: z.strictObject({ apiKey: keys.stripe, webhookSecret: secret.optional() }),
} as const

/** An account at a provider. */
export interface AccountSettings {
  readonly apiKey: string
  /** Of the provider's API, without a slash at its end. */
  readonly base: string
  /** Reads what Mollie paid; null without it, and elsewhere. */
  readonly accessToken: string | null
  /** Signs Stripe's events; null without it, and elsewhere. */
  readonly webhookSecret: string | null
}

type Values = z.output<z.ZodObject<typeof providerVariables>>

/** Accounts for live payments of storefronts without one of their own; without any, live checkouts cannot be paid. */
export function providersOf(value: Values) {
  const providerBases = {
    mollie: value.MOLLIE_API_BASE ?? 'https://api.mollie.com',
    stripe: value.STRIPE_API_BASE ?? 'https://api.stripe.com',
  }
  return {
    /** Where each provider's API is, for every account there. */
    providerBases,
    mollie: accountOf(value.MOLLIE_API_KEY, {
      ...{ base: providerBases.mollie, accessToken: value.MOLLIE_ACCESS_TOKEN ?? null, webhookSecret: null },
    }),
    stripe: accountOf(value.STRIPE_API_KEY, {
      ...{ base: providerBases.stripe, accessToken: null, webhookSecret: value.STRIPE_WEBHOOK_SECRET ?? null },
    }),
    /** Which account takes new payments; the other one serves what it took before. */
    livePayments:
      value.LIVE_PAYMENTS ?? (value.MOLLIE_API_KEY === undefined ? ('stripe' as const) : ('mollie' as const)),
  }
}

const accountOf = (apiKey: string | undefined, rest: Omit<AccountSettings, 'apiKey'>): AccountSettings | null =>
  apiKey === undefined ? null : { apiKey, ...rest }
