import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { parseTypedDuration } from '../kernel/calendar.ts'
import { percent } from '../kernel/money.ts'
import { creditorIdOf } from '../kernel/sepa.ts'
import { clientsOf, clientVariables } from './config-clients.ts'
import { databaseOf, databaseVariables } from './config-database.ts'
import { payoutsOf, payoutVariables } from './config-payouts.ts'
import { keyOf, liveProviderNames, providersOf, providerVariables } from './config-providers.ts'
import { rateLimitsOf, rateLimitVariables } from './config-rate-limits.ts'
import { retentionConflict, retentionOf, retentionVariables } from './config-retention.ts'
import { requiredOfSeller, sellerOf, sellerVariables } from './config-seller.ts'
import { taxIdsOf, taxIdVariables } from './config-tax-ids.ts'
import { telemetryOf, telemetryVariables } from './config-telemetry.ts'
import {
  decimal,
  euroAmount,
  isWebAddress,
  lastsBetween,
  list,
  mailRecipient,
  mailSender,
  mailServer,
  originOf,
  parsed,
  secret,
  serviceOf,
  text,
  webAddress,
  whole,
} from './config-values.ts'

/**
 * The configuration: environment variables, read once and checked against one table. An empty variable
 * counts as not set.
 */
const variables = z.object({
  BILLHOOK_ENV: z.enum(['development', 'production'], 'must be "development" or "production"').default('development'),
  PORT: whole('must be a port number from 1 to 65535', 1, 65_535).default(3000),
  WEB_PROCESSES: whole('must be a number of processes from 1 to 64', 1, 64).optional(),
  PUBLIC_BASE_URL: parsed(
    originOf,
    'must be an http or https address without a path, such as https://pay.example.com',
  ).optional(),
  ...databaseVariables,
  SECRET_KEY: secret.optional(),
  SECRET_KEY_PREVIOUS: list(secret).default([]),
  ...sellerVariables,
  SEPA_CREDITOR_ID: parsed(creditorIdOf, 'must be a SEPA creditor identifier with valid check digits').optional(),
  TERMS_URL: webAddress('must be an http or https address').optional(),
  PRIVACY_URL: webAddress('must be an http or https address').optional(),
  CHECKOUT_TTL: z
    .string()
    .transform((value, context) => {
      const duration = /^\d{1,9}$/.test(value) ? { seconds: Number(value) } : parseTypedDuration(value)
      if (duration && lastsBetween(duration, 1, 366 * 86_400)) return duration
      context.addIssue('must be seconds or an ISO 8601 duration (PT24H) of at most a year')
      return z.NEVER
    })
    .default({ hours: 24 }),
  ...rateLimitVariables,
  WEBHOOK_ALLOWED_HOSTS: list(
    z
      .string()
      .toLowerCase()
      .regex(
        /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/,
        'must be hosts, each with its port or without, such as localhost:4000',
      ),
  ).default([]),
  ...clientVariables,
  FEE_PERCENT: decimal('must be a percentage from 0 to 100 with at most 4 decimals, such as 5 or 4.9', 4)
    .transform(percent)
    .refine(
      ({ numerator, denominator }) => numerator <= denominator,
      'must be a percentage from 0 to 100 with at most 4 decimals, such as 5 or 4.9',
    )
    .default(percent('5')),
  FEE_FIXED: euroAmount('must be an amount in euros with at most 2 decimals, such as 0.50').default(50n),
  RETURNED_DEBIT_FEE: euroAmount('must be an amount in euros with at most 2 decimals, such as 7.50').default(750n),
  CHARGEBACK_FEE: euroAmount('must be an amount in euros with at most 2 decimals, such as 15.00').default(1500n),
  ...payoutVariables,
  INNGEST_EVENT_KEY: text(255).optional(),
  INNGEST_SIGNING_KEY: text(255).optional(),
  INNGEST_BASE_URL: webAddress('must be the http or https address of an Inngest server').optional(),
  INNGEST_DEV: z
    .string()
    .refine(
      (value) => /^([01]|true|false)$/.test(value) || isWebAddress(value),
      'must be 1, 0, or the address of an Inngest development server',
    )
    .optional(),
  INNGEST_LEASE_SECONDS: whole('must be seconds from 5 to 3600', 5, 3600).default(30),
  INNGEST_FALLBACK_SECONDS: whole('must be seconds from 5 to 3600', 5, 3600).default(20),
  INNGEST_FALLBACK: z.enum(['embedded', 'none'], 'must be "embedded" or "none"').default('embedded'),
  ...providerVariables,
  ...taxIdVariables,
  ...retentionVariables,
  ...telemetryVariables,
  ECB_RATES_URL: parsed(serviceOf, 'must be an https address, or an http address on this machine').optional(),
  SMTP_URL: parsed(mailServer, 'must be an SMTP address, such as smtps://user:password@mail.example.com').optional(),
  MAIL_FROM: parsed(
    mailSender,
    'must be an e-mail address, alone or after a name, such as Lumen <billing@example.com>',
  ).optional(),
  TEST_MAIL_TO: list(
    parsed(
      mailRecipient,
      'must be e-mail addresses and domains, comma separated, such as dev@example.com, example.org',
    ),
  ).default([]),
  EMAIL_NOTICES_SECRET: secret.optional(),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info'),
})

/** Rules between variables, checked only if each variable is valid. */
const together = variables.superRefine((set, context) => {
  const wrong = (variable: keyof typeof set, rule: string) =>
    context.addIssue({ code: 'custom', path: [variable], message: rule })
  const production = set.BILLHOOK_ENV === 'production'
  if (!set.SECRET_KEY) {
    wrong(
      'SECRET_KEY',
      production
        ? 'must be set in production (at least 32 characters; `openssl rand -base64 32` makes one)'
        : 'is not set: `npm start` and the command line make one on the first run',
    )
  }
  if (production && !set.PUBLIC_BASE_URL?.startsWith('https://'))
    wrong('PUBLIC_BASE_URL', 'must be set in production, to an https address')
  const missing = requiredOfSeller.filter((variable) => !set[variable])
  if (production && missing[0])
    wrong(missing[0], `must be set in production, as all of ${requiredOfSeller.join(', ')}: invoices show them`)
  if (set.SMTP_URL && !set.MAIL_FROM)
    wrong('MAIL_FROM', 'must be set together with SMTP_URL: mails to customers come from this address')
  if (set.LIVE_PAYMENTS && !set[keyOf(set.LIVE_PAYMENTS)])
    wrong('LIVE_PAYMENTS', `must be a provider whose key is set: ${liveProviderNames.map(keyOf).join(', ')}`)
  if (production && set.GEO_DATABASE && !set.CLIENT_ADDRESS_HEADER)
    wrong('CLIENT_ADDRESS_HEADER', 'must be set in production with GEO_DATABASE: else every address is the proxy’s')
  if (Boolean(set.HMRC_CLIENT_ID) !== Boolean(set.HMRC_CLIENT_SECRET))
    wrong('HMRC_CLIENT_SECRET', 'must be set together with HMRC_CLIENT_ID')
  if (set.PAYOUT_BIC && !set.PAYOUT_IBAN) wrong('PAYOUT_IBAN', 'must be set together with PAYOUT_BIC')
  const tooLong = retentionConflict(set)
  if (tooLong) wrong('DELIVERY_RETENTION_DAYS', tooLong)
  if (production && set.INNGEST_DEV)
    wrong('INNGEST_DEV', 'is for development and must not be set in production: unsigned calls are let through')
  if (production && set.WEBHOOK_ALLOWED_HOSTS.length > 0)
    wrong(
      'WEBHOOK_ALLOWED_HOSTS',
      'is for development and must not be set in production: it lets webhooks reach private addresses',
    )
})

export type Config = ReturnType<typeof readConfig>

/** Each sentence names a variable and its rule, and never a value: it could be a secret. */
export class InvalidConfig extends Error {
  constructor(readonly sentences: readonly string[]) {
    super(sentences.join('\n'))
  }
}

/** Reads the configuration from an environment. Throws InvalidConfig. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '')
  const result = together.safeParse(Object.fromEntries(set))
  if (!result.success) {
    const rules = new Map(result.error.issues.map(({ path, message }) => [String(path[0]), message]))
    throw new InvalidConfig([...rules].map(([variable, rule]) => `${variable} ${rule}.`))
  }
  const value = result.data
  return {
    environment: value.BILLHOOK_ENV,
    port: value.PORT,
    /** How many processes answer requests, beside one that runs tasks; null: one process does both. */
    webProcesses: value.WEB_PROCESSES ?? (value.BILLHOOK_ENV === 'production' ? processesByDefault() : null),
    /** Without a slash at its end. Every link begins with it; the Host header is never used. */
    publicBaseUrl: value.PUBLIC_BASE_URL ?? `http://localhost:${value.PORT}`,
    ...databaseOf(value),
    secretKey: value.SECRET_KEY ?? '',
    /** Old keys that can still unseal values, newest first. */
    secretKeyPrevious: value.SECRET_KEY_PREVIOUS,
    /** The merchant of record. */
    seller: sellerOf(value),
    /** Of the seller, for direct debits; null: live mode has none. */
    sepaCreditorId: value.SEPA_CREDITOR_ID ?? null,
    termsUrl: value.TERMS_URL ?? null,
    privacyUrl: value.PRIVACY_URL ?? null,
    checkoutTtl: value.CHECKOUT_TTL,
    ...rateLimitsOf(value),
    /** `host` or `host:port`, in lower case. In development this service is among them: it has the demo's receiver. */
    webhookAllowedHosts:
      value.BILLHOOK_ENV === 'production'
        ? value.WEBHOOK_ALLOWED_HOSTS
        : [...value.WEBHOOK_ALLOWED_HOSTS, `localhost:${value.PORT}`],
    ...taxIdsOf(value),
    ...retentionOf(value),
    ...telemetryOf(value),
    ...clientsOf(value),
    ...moneyOf(value),
    inngest: inngestOf(value),
    ...providersOf(value),
    /** Where the day's reference rates of the euro are published. */
    ecbRatesUrl: value.ECB_RATES_URL ?? 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
    mail: mailOf(value),
    /** Addresses, and domains (without `@`), in canonical form: emails of test mode go nowhere else. */
    testMailTo: value.TEST_MAIL_TO,
    /** Signs the notices of bounces and complaints; null: none are taken. */
    emailNoticesSecret: value.EMAIL_NOTICES_SECRET ?? null,
    logLevel: value.LOG_LEVEL,
  }
}

/** One for each core. Eight, with their pools of ten, have room in the hundred connections of PostgreSQL's default. */
const processesByDefault = () => Math.min(availableParallelism(), 8)

/** What the merchants pay, and when they are paid. */
const moneyOf = (value: z.output<typeof variables>) => ({
  /** The platform fee on a sale: a share of its net, and a fixed amount in cents. */
  fee: { part: value.FEE_PERCENT, fixed: value.FEE_FIXED },
  /** What a provider charges for a dispute, in cents. */
  chargebackFee: value.CHARGEBACK_FEE,
  returnedDebitFee: value.RETURNED_DEBIT_FEE,
  ...payoutsOf(value),
})

/** How emails are sent; null if they are only stored. */
const mailOf = ({ SMTP_URL, MAIL_FROM }: z.output<typeof variables>) =>
  SMTP_URL && MAIL_FROM ? { server: SMTP_URL, from: MAIL_FROM } : null

/** Null unless one of its variables is set; then tasks run in this process. */
function inngestOf(value: z.output<typeof variables>) {
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_BASE_URL, INNGEST_DEV } = value
  const { INNGEST_LEASE_SECONDS, INNGEST_FALLBACK, INNGEST_FALLBACK_SECONDS } = value
  const dev = INNGEST_DEV !== undefined && !/^(0|false)$/.test(INNGEST_DEV)
  if (!INNGEST_EVENT_KEY && !INNGEST_SIGNING_KEY && !INNGEST_BASE_URL && !dev) return null
  return {
    eventKey: INNGEST_EVENT_KEY ?? null,
    signingKey: INNGEST_SIGNING_KEY ?? null,
    baseUrl: INNGEST_BASE_URL ?? (INNGEST_DEV && isWebAddress(INNGEST_DEV) ? INNGEST_DEV : null),
    dev,
    /** How long a task waits for its run before it is handed over again. */
    leaseMs: INNGEST_LEASE_SECONDS * 1000,
    /** After how long without the server this process runs tasks itself; null for never. */
    fallbackMs: INNGEST_FALLBACK === 'embedded' ? INNGEST_FALLBACK_SECONDS * 1000 : null,
  }
}

let read: Config | undefined

/** The configuration of this process. Throws InvalidConfig. */
export function config(): Config {
  read ??= readConfig(process.env)
  return read
}
