import { z } from 'zod'
import { parsed, secret, serviceOf } from './config-values.ts'

/** A credential is null if it is not set or if the payment provider does not use it. */
export interface Credentials {
  readonly apiKey: string
  readonly accessToken: string | null
  readonly webhookSecret: string | null
}
const nothingElse: Omit<Credentials, 'apiKey'> = { accessToken: null, webhookSecret: null }

/** `form` validates the value of the environment variable `variable`, and refuses an API key of test mode. */
interface Credential {
  readonly variable: string
  readonly form: z.ZodType<string, string>
  readonly meaning: string
}

interface LiveProvider {
  readonly title: string
  readonly credentials: Pick<Record<keyof Credentials, Credential>, 'apiKey'> &
    Partial<Record<keyof Credentials, Credential>>
  readonly base: { readonly variable: string; readonly usual: string }
  readonly readsSettlements: keyof Credentials
}

const key = (rule: string, form: RegExp) => z.string().regex(form, rule)

/**
 * The keys are the provider names that the database, URLs, and commands use. The first provider with an API key takes
 * new payments, unless `LIVE_PAYMENTS` names another provider.
 */
export const liveProviders = {
  mollie: {
    title: 'Mollie',
    credentials: {
      apiKey: {
        variable: 'MOLLIE_API_KEY',
        form: key('must be a live key of Mollie, which begins with live_; test mode needs no key', /^live_\w{4,100}$/),
        meaning: 'Live key of the Mollie account that takes live payments.',
      },
      accessToken: {
        variable: 'MOLLIE_ACCESS_TOKEN',
        form: key(
          'must be an access token of Mollie with settlements.read, which begins with access_',
          /^access_\w{4,200}$/,
        ),
        meaning:
          'Access token of the organization that owns `MOLLIE_API_KEY`, with `settlements.read`, `payments.read`, and ' +
          '`refunds.read`. With this token, Billhook compares the settlements of Mollie with the books every day.',
      },
    },
    base: { variable: 'MOLLIE_API_BASE', usual: 'https://api.mollie.com' },
    readsSettlements: 'accessToken',
  },
  stripe: {
    title: 'Stripe',
    credentials: {
      apiKey: {
        variable: 'STRIPE_API_KEY',
        form: key(
          'must be a live key of Stripe, which begins with sk_live_ or rk_live_; test mode needs no key',
          /^[sr]k_live_\w{4,200}$/,
        ),
        meaning: 'Live key of the Stripe account that takes live payments, secret or restricted.',
      },
      webhookSecret: {
        variable: 'STRIPE_WEBHOOK_SECRET',
        form: secret,
        meaning:
          'Signing secret of the webhook endpoint at Stripe. Without this secret, Billhook accepts unsigned events. It uses only the id in an event, and reads the object from Stripe.',
      },
    },
    base: { variable: 'STRIPE_API_BASE', usual: 'https://api.stripe.com' },
    readsSettlements: 'apiKey',
  },
} as const satisfies Readonly<Record<string, LiveProvider>>

export type LiveProviderName = keyof typeof liveProviders

export const liveProviderNames = Object.keys(liveProviders) as [LiveProviderName, ...LiveProviderName[]]
export const isLiveProvider = (name: string): name is LiveProviderName => Object.hasOwn(liveProviders, name)
export const liveProvider = (name: LiveProviderName): LiveProvider => liveProviders[name]

export const perLiveProvider = <Value>(valueFor: (name: LiveProviderName) => Value) =>
  Object.fromEntries(liveProviderNames.map((name) => [name, valueFor(name)])) as Record<LiveProviderName, Value>

export function credentialsAt(name: LiveProviderName): z.ZodType<Credentials> {
  const { apiKey, ...others } = liveProvider(name).credentials
  const optional = Object.entries(others).map(([credential, { form }]) => [credential, form.optional()])
  return z
    .strictObject({ apiKey: apiKey.form, ...Object.fromEntries(optional) })
    .transform((credentials) => ({ ...nothingElse, ...credentials }) as Credentials)
}

const variablesOf = ({ credentials, base }: LiveProvider) => [
  ...Object.values(credentials).map(
    ({ variable, form, meaning }) => [variable, form.optional().describe(meaning)] as const,
  ),
  [
    base.variable,
    parsed(serviceOf, 'must be an https address, or an http address on this machine')
      .optional()
      .describe(`The address of the payment provider's API. If not set: \`${base.usual}\`.`),
  ] as const,
]

type VariableOf<Provider> = Provider extends {
  credentials: Readonly<Record<string, { variable: infer Credential }>>
  base: { variable: infer Base }
}
  ? (Credential | Base) & string
  : never

export const providerVariables = {
  ...(Object.fromEntries(liveProviderNames.flatMap((name) => variablesOf(liveProvider(name)))) as Record<
    VariableOf<(typeof liveProviders)[LiveProviderName]>,
    z.ZodOptional<z.ZodType<string, string>>
  >),
  LIVE_PAYMENTS: z
    .enum(liveProviderNames, `must be ${liveProviderNames.map((name) => `"${name}"`).join(' or ')}`)
    .optional()
    .describe(
      'The provider that takes new payments, `mollie` or `stripe`. Earlier payments and their renewals stay at their provider. If not set: the only provider with a key, or `mollie` if both keys are set.',
    ),
}

export const keyOf = (name: LiveProviderName) => liveProviders[name].credentials.apiKey.variable

export interface AccountSettings extends Credentials {
  readonly base: string
}

type Values = z.output<z.ZodObject<typeof providerVariables>>

/**
 * The installation's own provider accounts, which serve storefronts without an account of their own. If neither the
 * installation nor the storefront has an account, the storefront's live checkouts cannot be paid.
 */
export function providersOf(value: Values) {
  const accounts = perLiveProvider((name) => accountOf(liveProvider(name), value))
  return {
    providerBases: perLiveProvider((name) => baseOf(liveProvider(name), value)),
    ...accounts,
    /** The provider for new payments. Other providers with an account continue to process their existing payments. */
    livePayments: value.LIVE_PAYMENTS ?? liveProviderNames.find((name) => accounts[name]) ?? liveProviderNames[0],
  }
}

function accountOf(
  provider: LiveProvider,
  value: Readonly<Record<string, string | undefined>>,
): AccountSettings | null {
  const set = Object.entries(provider.credentials).map(([credential, { variable }]) => [credential, value[variable]])
  const { apiKey, ...others } = Object.fromEntries(set.filter(([, each]) => each !== undefined))
  return apiKey === undefined ? null : { apiKey, ...nothingElse, ...others, base: baseOf(provider, value) }
}

const baseOf = ({ base }: LiveProvider, value: Readonly<Record<string, string | undefined>>): string =>
  value[base.variable] ?? base.usual
