import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { parseTypedDuration } from '../kernel/calendar.ts'
import { creditorIdOf, exampleCreditorId } from '../kernel/sepa.ts'
import { clientsOf, clientVariables } from './config-clients.ts'
import { databaseOf, databaseVariables } from './config-database.ts'
import { inngestOf, inngestVariables } from './config-inngest.ts'
import { mailOf, mailVariables } from './config-mail.ts'
import { payoutsOf, payoutVariables } from './config-payouts.ts'
import { keyOf, liveProviderNames, providersOf, providerVariables } from './config-providers.ts'
import { rateLimitsOf, rateLimitVariables } from './config-rate-limits.ts'
import { retentionConflict, retentionOf, retentionVariables } from './config-retention.ts'
import { requiredOfSeller, sellerOf, sellerVariables } from './config-seller.ts'
import { taxIdsOf, taxIdVariables } from './config-tax-ids.ts'
import { lastsBetween, list, originOf, parsed, secret, serviceOf, webAddress, whole } from './config-values.ts'

/** An empty environment variable counts as not set. */
export const variables = z.object({
  BILLHOOK_ENV: z
    .enum(['development', 'production'], 'must be "development" or "production"')
    .default('development')
    .describe(
      '`production` refuses unsafe settings and creates no demo storefront. `NODE_ENV=production` ' +
        'has the same effect.',
    ),
  PORT: whole('must be a port number from 1 to 65535', 1, 65_535)
    .default(3000)
    .describe('The port on which the service listens.'),
  LISTEN_ADDRESS: z
    .string()
    .refine((value) => isIP(value) !== 0, 'must be an IP address of this machine, such as 127.0.0.1 or ::1')
    .optional()
    .describe(
      'The IP address on which the service listens. Behind a proxy on the same machine, use `127.0.0.1`. ' +
        'If not set: all addresses.',
    ),
  WEB_PROCESSES: whole('must be a number of processes from 1 to 64', 1, 64)
    .optional()
    .describe(
      'The number of processes that share the port. One more process runs tasks. If not set: in production one process for each core, at most 8. In development, a single process serves requests and runs tasks.',
    ),
  PUBLIC_BASE_URL: parsed(originOf, 'must be an http or https address without a path, such as https://pay.example.com')
    .optional()
    .describe(
      'The address that buyers and merchants use. Every link starts with this address. Production ' +
        'requires https. If not set: `http://localhost:PORT`.',
    ),
  ...databaseVariables,
  SECRET_KEY: secret
    .optional()
    .describe(
      'Encrypts stored secrets and signs links. At least 32 characters, such as the output of `openssl rand -base64 32`. In development, the first start creates a key in `.data/`. If you change this key, list the old key in `SECRET_KEY_PREVIOUS`, and run `cli secret-key renew`. Without the old key, the service does not start. If the old key is lost, run `cli secret-key accept`.',
    ),
  SECRET_KEY_PREVIOUS: list(secret)
    .default([])
    .describe(
      'Previous keys, comma-separated, used to decrypt older data. With several processes, list the new key here ' +
        'in every process before you change `SECRET_KEY` in one of them.',
    ),
  ...sellerVariables,
  SEPA_CREDITOR_ID: parsed(
    creditorIdOf,
    `must be a SEPA creditor identifier with valid check digits, such as ${exampleCreditorId}`,
  )
    .optional()
    .describe(
      `The SEPA creditor identifier of the seller, such as \`${exampleCreditorId}\`. Emails and pages about live direct debits state it. Without it, direct debits work. Test mode uses this example.`,
    ),
  TERMS_URL: webAddress('must be an http or https address')
    .optional()
    .describe(
      'The address of the terms of sale, which are linked below the pay button. The brand of a storefront can set another address.',
    ),
  PRIVACY_URL: webAddress('must be an http or https address')
    .optional()
    .describe(
      'The address of the privacy policy, which is linked below the pay button. The brand of a storefront can set another address.',
    ),
  CHECKOUT_TTL: z
    .string()
    .transform((value, context) => {
      const duration = /^\d{1,9}$/.test(value) ? { seconds: Number(value) } : parseTypedDuration(value)
      if (duration && lastsBetween(duration, 1, 366 * 86_400)) return duration
      context.addIssue('must be a number of seconds, or an ISO 8601 duration such as PT24H, of at most a year')
      return z.NEVER
    })
    .default({ hours: 24 })
    .describe('The time in which a checkout can be paid.'),
  ...rateLimitVariables,
  WEBHOOK_ALLOWED_HOSTS: list(
    z
      .string()
      .toLowerCase()
      .regex(
        /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/,
        'must be hosts, each with its port or without, such as localhost:4000',
      ),
  )
    .default([])
    .describe(
      'Development only. Private hosts, and hosts with http, that may receive webhooks. Comma-separated, as `host` or `host:port`. `localhost:PORT` is always allowed in development.',
    ),
  WEBHOOK_LOOPBACK: z
    .enum(['off', 'test'], 'must be "off" or "test"')
    .optional()
    .describe(
      'With `test`, webhook endpoints of test mode may be programs on this machine: ' +
        '`http://localhost:PORT`, `http://127.0.0.1:PORT`, and `http://[::1]:PORT`. If not set: `test` in development, `off` in production. Production accepts only `off`.',
    ),
  ...clientVariables,
  ...payoutVariables,
  ...inngestVariables,
  ...providerVariables,
  ...taxIdVariables,
  ...retentionVariables,
  ...mailVariables,
  ECB_RATES_URL: parsed(serviceOf, 'must be an https address, or an http address on this machine')
    .optional()
    .describe(
      'The address of the daily reference rates, used for live sales in currencies besides the euro. ' +
        'If not set: the European Central Bank. The files with the rates of past days must be in the folder of this address.',
    ),
  DOCS_INDEXED: z
    .enum(['on', 'off'], 'must be "on" or "off"')
    .default('on')
    .describe(
      'Whether search engines may list the front page and the documentation at `/docs`. Other pages are never listed.',
    ),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info')
    .describe('The lowest level of the log.'),
})

const together = variables.superRefine((set, context) => {
  const wrong = (variable: keyof typeof set, rule: string) =>
    context.addIssue({ code: 'custom', path: [variable], message: rule })
  const production = set.BILLHOOK_ENV === 'production'
  if (!set.SECRET_KEY) {
    wrong(
      'SECRET_KEY',
      production
        ? 'must be set in production (at least 32 characters; `openssl rand -base64 32` creates a key)'
        : 'is not set. `npm start` and the command line create a key on the first run',
    )
  }
  if (production && !set.PUBLIC_BASE_URL) wrong('PUBLIC_BASE_URL', 'must be set in production, to an https address')
  if (production && set.PUBLIC_BASE_URL?.startsWith('http://'))
    wrong('PUBLIC_BASE_URL', 'must be an https address in production, not an http address')
  for (const variable of requiredOfSeller)
    if (production && !set[variable]) wrong(variable, 'must be set in production, because invoices show it')
  if (set.SMTP_URL && !set.MAIL_FROM)
    wrong('MAIL_FROM', 'must be set together with SMTP_URL, because emails to customers come from this address')
  if (set.LIVE_PAYMENTS && !set[keyOf(set.LIVE_PAYMENTS)])
    wrong('LIVE_PAYMENTS', `must be a provider whose key is set: ${liveProviderNames.map(keyOf).join(', ')}`)
  if (production && set.GEO_DATABASE && !set.CLIENT_ADDRESS_HEADER)
    wrong(
      'CLIENT_ADDRESS_HEADER',
      'must be set in production with GEO_DATABASE. Otherwise, every client address is the address of the proxy',
    )
  if (Boolean(set.HMRC_CLIENT_ID) !== Boolean(set.HMRC_CLIENT_SECRET))
    wrong('HMRC_CLIENT_SECRET', 'must be set together with HMRC_CLIENT_ID')
  if (set.PAYOUT_BIC && !set.PAYOUT_IBAN) wrong('PAYOUT_IBAN', 'must be set together with PAYOUT_BIC')
  const tooLong = retentionConflict(set)
  if (tooLong) wrong('DELIVERY_RETENTION_DAYS', tooLong)
  if (production && set.INNGEST_DEV)
    wrong('INNGEST_DEV', 'is for development and must not be set in production, because it accepts unsigned calls')
  if (production && set.WEBHOOK_ALLOWED_HOSTS.length > 0)
    wrong(
      'WEBHOOK_ALLOWED_HOSTS',
      'is for development and must not be set in production, because it allows webhooks to private addresses',
    )
  if (production && set.WEBHOOK_LOOPBACK === 'test')
    wrong('WEBHOOK_LOOPBACK', 'must not be "test" in production, because it allows webhooks to programs on the server')
})

export type Config = ReturnType<typeof readConfig>

/** The error messages never contain the value of a variable, because the value could be a secret. */
export class InvalidConfig extends Error {
  constructor(readonly sentences: readonly string[]) {
    super(sentences.join('\n'))
  }
}

/** @throws InvalidConfig */
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
    /** The IP address at which the server listens. Null: all addresses. */
    listenAddress: value.LISTEN_ADDRESS ?? null,
    /** The number of processes that serve requests, in addition to one process that runs tasks. Null: one process does both. */
    webProcesses: value.WEB_PROCESSES ?? (value.BILLHOOK_ENV === 'production' ? processesByDefault() : null),
    /** The start of every link, without a trailing slash. The Host header is ignored. */
    publicBaseUrl: value.PUBLIC_BASE_URL ?? `http://localhost:${value.PORT}`,
    ...databaseOf(value),
    secretKey: value.SECRET_KEY ?? '',
    /** Keys for decryption only, newest first. */
    secretKeyPrevious: value.SECRET_KEY_PREVIOUS,
    seller: sellerOf(value),
    sepaCreditorId: value.SEPA_CREDITOR_ID ?? null,
    termsUrl: value.TERMS_URL ?? null,
    privacyUrl: value.PRIVACY_URL ?? null,
    checkoutTtl: value.CHECKOUT_TTL,
    docsIndexed: value.DOCS_INDEXED === 'on',
    ...rateLimitsOf(value),
    /** `host` or `host:port`, in lower case. In development, the demo's webhook receiver on this service is allowed. */
    webhookAllowedHosts:
      value.BILLHOOK_ENV === 'production'
        ? value.WEBHOOK_ALLOWED_HOSTS
        : [...value.WEBHOOK_ALLOWED_HOSTS, `localhost:${value.PORT}`],
    webhookLoopback: (value.WEBHOOK_LOOPBACK ?? (value.BILLHOOK_ENV === 'production' ? 'off' : 'test')) === 'test',
    ...taxIdsOf(value),
    ...retentionOf(value),
    ...clientsOf(value),
    ...payoutsOf(value),
    inngest: inngestOf(value),
    ...providersOf(value),
    ecbRatesUrl: value.ECB_RATES_URL ?? 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
    ...mailOf(value),
    logLevel: value.LOG_LEVEL,
  }
}

/**
 * At most eight processes by default, because eight pools of ten connections fit into PostgreSQL's default limit of 100
 * connections.
 */
const processesByDefault = () => Math.min(availableParallelism(), 8)

let read: Config | undefined

/** @throws InvalidConfig */
export function config(): Config {
  read ??= readConfig(process.env)
  return read
}
