import { z } from 'zod'
import { parsed, secret, serviceOf } from './config-values.ts'

const service = parsed(serviceOf, 'must be an https address, or an http address on this machine')

/** The environment variables of the accounts that take live payments. */
export const providerVariables = {
  MOLLIE_API_KEY: z
    .string()
    .regex(/^live_\w{4,100}$/, 'must be a live key of Mollie, which begins with live_: test mode needs none')
    .optional(),
  MOLLIE_API_BASE: service.optional(),
  MOLLIE_ACCESS_TOKEN: z
    .string()
    .regex(/^access_\w{4,200}$/, 'must be an access token of Mollie with settlements.read, which begins with access_')
    .optional(),
  STRIPE_API_KEY: z
    .string()
    .regex(
      /^[sr]k_live_\w{4,200}$/,
      'must be a live key of Stripe, which begins with sk_live_ or rk_live_: test mode needs none',
    )
    .optional(),
  STRIPE_API_BASE: service.optional(),
  STRIPE_WEBHOOK_SECRET: secret.optional(),
  LIVE_PAYMENTS: z.enum(['mollie', 'stripe'], 'must be "mollie" or "stripe"').optional(),
}

/** The variable with the key of each account that takes live payments. */
export const keyOf = { mollie: 'MOLLIE_API_KEY', stripe: 'STRIPE_API_KEY' } as const

type Values = z.output<z.ZodObject<typeof providerVariables>>

/** Accounts for live payments; without one, live checkouts cannot be paid. `base` ends without a slash. */
export const providersOf = (value: Values) => ({
  mollie: mollieOf(value),
  stripe: stripeOf(value),
  /** Which account takes new payments; the other one serves what it took before. */
  livePayments: value.LIVE_PAYMENTS ?? (value.MOLLIE_API_KEY === undefined ? ('stripe' as const) : ('mollie' as const)),
})

function mollieOf({ MOLLIE_API_KEY, MOLLIE_API_BASE, MOLLIE_ACCESS_TOKEN }: Values) {
  if (MOLLIE_API_KEY === undefined) return null
  const base = MOLLIE_API_BASE ?? 'https://api.mollie.com'
  return { apiKey: MOLLIE_API_KEY, base, accessToken: MOLLIE_ACCESS_TOKEN ?? null }
}

function stripeOf({ STRIPE_API_KEY, STRIPE_API_BASE, STRIPE_WEBHOOK_SECRET }: Values) {
  if (STRIPE_API_KEY === undefined) return null
  const base = STRIPE_API_BASE ?? 'https://api.stripe.com'
  return { apiKey: STRIPE_API_KEY, base, webhookSecret: STRIPE_WEBHOOK_SECRET ?? null }
}
