import { z } from 'zod'
import { parsed, secret, serviceOf } from './config-values.ts'

/** The credentials of an account at a provider; null if not set, or if the provider does not use them. */
export interface Credentials {
  readonly apiKey: string
  readonly accessToken: string | null
  readonly webhookSecret: string | null
}
const nothingElse: Omit<Credentials, 'apiKey'> = { accessToken: null, webhookSecret: null }

/** A credential's variable and form. A key of another mode is refused. */
interface Credential {
  readonly variable: string
  readonly form: z.ZodType<string, string>
  readonly meaning: string
}

interface LiveProvider {
  readonly title: string
  readonly credentials: Pick<Record<keyof Credentials, Credential>, 'apiKey'> &
    Partial<Record<keyof Credentials, Credential>>
  /** The address of the API for every account, unless the variable has another address. */
  readonly base: { readonly variable: string; readonly usual: string }
  readonly readsSettlements: keyof Credentials
}

const key = (rule: string, form: RegExp) => z.string().regex(form, rule)

/**
 * By their names in rows, addresses, and commands. Variables, choices, and sentences are derived from this table. The
 * first provider with a key takes new payments, unless `LIVE_PAYMENTS` names another.
 */
export const liveProviders = {
  mollie: {
    title: 'Mollie',
    credentials: {
      apiKey: {
        variable: 'MOLLIE_API_KEY',
        form: key('must be a live key of Mollie, which begins with live_: test mode needs none', /^live_\w{4,100}$/),
        meaning: 'Live key of the Mollie account that takes live payments.',
      },
      accessToken: {
        variable: 'MOLLIE_ACCESS_TOKEN',
        form: key(
          'must be an access token of Mollie with settlements.read, which begins with access_',
          /^access_\w{4,200}$/,
        ),
        meaning:
          'Access token of the same organization with `settlements.read`, `payments.read`, and ' +
          '`refunds.read`. With it, Billhook compares what Mollie paid you with the books every day.',
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
          'must be a live key of Stripe, which begins with sk_live_ or rk_live_: test mode needs none',
          /^[sr]k_live_\w{4,200}$/,
        ),
        meaning: 'Live key of the Stripe account that takes live payments, secret or restricted.',
      },
      webhookSecret: {
        variable: 'STRIPE_WEBHOOK_SECRET',
        form: secret,
        meaning:
          'Signing secret of the webhook endpoint at Stripe. Without it, events are accepted ' +
          'unsigned: Billhook uses only the id in them and reads the rest from Stripe.',
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

/** Each error sentence is about one field. */
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
      .describe(`Another address of the API. If not set: \`${base.usual}\`.`),
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
      'The account that takes new payments, `mollie` or `stripe`. The other account serves its ' +
        'earlier payments. If not set: `mollie` if its key is set.',
    ),
}

export const keyOf = (name: LiveProviderName) => liveProviders[name].credentials.apiKey.variable

export interface AccountSettings extends Credentials {
  readonly base: string
}

type Values = z.output<z.ZodObject<typeof providerVariables>>

/** For storefronts without their own account. Without any account, live checkouts cannot be paid. */
export function providersOf(value: Values) {
  const accounts = perLiveProvider((name) => accountOf(liveProvider(name), value))
  return {
    providerBases: perLiveProvider((name) => baseOf(liveProvider(name), value)),
    ...accounts,
    /** The account that takes new payments. The other accounts serve their earlier payments. */
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
