import { maskedIban, sepaText } from '../kernel/sepa.ts'
import type { Config } from '../platform/config.ts'
import { keyOf, type LiveProviderName, liveProvider, liveProviderNames } from '../platform/config-providers.ts'

/** A field is null if its check found no problem. */
export interface Installation {
  readonly config: Pick<
    Config,
    | 'environment'
    | 'publicBaseUrl'
    | 'seller'
    | 'sepaCreditorId'
    | 'termsUrl'
    | 'privacyUrl'
    | LiveProviderName
    | 'livePayments'
    | 'payoutsFrom'
    | 'mail'
    | 'emailNoticesSecret'
    | 'clientAddressHeader'
    | 'geoHeader'
    | 'geoDatabase'
    | 'hmrc'
    | 'inngest'
  >
  readonly problems: {
    /** A request to `PUBLIC_BASE_URL`. */
    readonly address: string | null
    readonly payments: string | null
    readonly settlements: string | null
    readonly mail: string | null
    readonly inngest: string | null
    readonly countries: string | null
    readonly hmrc: string | null
  }
  /** The build day of the IP address database; null without one. */
  readonly countriesOn: string | null
  readonly today: string
  readonly database: {
    readonly version: number
    /** Why the service cannot use it, in one sentence; null if it can. */
    readonly problem: string | null
    /** Whether a commit is on disk before the database confirms it. */
    readonly isDurable: boolean
    /** Whether the write-ahead log is archived. */
    readonly isArchived: boolean
    /** How far the database's clock is ahead of this machine's clock, in milliseconds. */
    readonly aheadMs: number
    /** Oldest first. */
    readonly missingMigrations: readonly string[]
  }
  /** The database of `DATABASE_REPLICA_URL`; null without one. */
  readonly replica: {
    readonly problem: string | null
    readonly isStandby: boolean
    readonly missingMigrations: readonly string[]
  } | null
  /** Offered currencies without a rate, and the day of the newest rates. Null while a migration is missing. */
  readonly rates: { readonly newest: string | null; readonly missing: readonly string[] } | null
  /** The number of tax registrations in force or in future; null while a migration is missing. */
  readonly registrations: number | null
  /** The number of storefront-owned accounts that take new payments; null while a migration is missing. */
  readonly ownAccounts: number | null
  /** Staff with a second factor; null while a migration is missing. */
  readonly staff: number | null
  /** The newest invariant check: `ok`, or its problem. */
  readonly invariants: string
  /** Tasks without outside services: `ok`, the delay of the oldest, or `unknown` while a migration is missing. */
  readonly tasks: string
  /** Whether SECRET_KEY encrypted this database: `ok`, the problem, or `unknown` while a migration is missing. */
  readonly secretKey: string
}

export interface Diagnosis {
  readonly check: string
  /** `missing`: required before live sales. `look`: works, but a person should decide. */
  readonly state: 'ok' | 'look' | 'missing'
  readonly message: string
}

type Verdict = readonly [state: Diagnosis['state'], message: string]

const mostAheadMs = 2_000
const oldestCountriesMs = 183 * 86_400_000
const paymentKeys = liveProviderNames.map(keyOf).join(' or ')

export const diagnose = (installation: Installation): Diagnosis[] =>
  Object.entries(checks).map(([check, of]) => {
    const [state, message] = of(installation)
    return { check, state, message }
  })

const unknown: Verdict = ['look', 'Not known while migrations are missing: what would say so may be missing too.']

const checks: Readonly<Record<string, (installation: Installation) => Verdict>> = {
  environment: ({ config }) =>
    config.environment === 'production'
      ? ['ok', 'production']
      : ['missing', 'Set BILLHOOK_ENV=production: it makes secrets and the seller required.'],
  secretKey: ({ secretKey }) => {
    if (secretKey === 'unknown') return unknown
    return secretKey === 'ok' ? ['ok', 'opens what is sealed'] : ['missing', secretKey]
  },
  seller: ({ config: { environment, seller } }) => {
    if (environment !== 'production')
      return [
        'missing',
        'Set SELLER_NAME, SELLER_STREET, SELLER_POSTAL_CODE, SELLER_CITY, SELLER_COUNTRY and SELLER_VAT_ID.',
      ]
    return seller.email === null
      ? ['look', 'Set SELLER_EMAIL: consumers must see it before they buy (Directive 2011/83/EU, art. 6(1)(c)).']
      : ['ok', `${seller.name}, ${seller.country}`]
  },
  registrations: ({ registrations }) => {
    if (registrations === null) return unknown
    return registrations > 0
      ? ['ok', `${registrations} entered`]
      : ['look', 'Enter tax registrations (`registration add`): without one no tax is charged abroad outside the EU.']
  },
  address: ({ config: { publicBaseUrl }, problems }) => {
    if (!publicBaseUrl.startsWith('https://')) return ['missing', 'Set PUBLIC_BASE_URL to an https address.']
    return problems.address === null
      ? ['ok', publicBaseUrl]
      : ['missing', `${publicBaseUrl} does not lead to this service: ${problems.address}.`]
  },
  proxy: ({ config }) =>
    config.clientAddressHeader
      ? ['ok', config.clientAddressHeader]
      : ['look', 'Behind a proxy set CLIENT_ADDRESS_HEADER: otherwise all buyers share one limit of requests.'],
  countries: ({ config: { geoHeader, geoDatabase }, problems, countriesOn, today }) => {
    if (problems.countries !== null) return ['look', `GEO_DATABASE cannot be read: ${problems.countries}.`]
    if (!geoDatabase && !geoHeader)
      return [
        'look',
        'Set GEO_HEADER or GEO_DATABASE: where buyers are is proven by their own word and their bank alone.',
      ]
    if (countriesOn === null) return ['ok', `by ${geoHeader}`]
    const isOld = Date.parse(today) - Date.parse(countriesOn) > oldestCountriesMs
    return isOld
      ? ['look', `GEO_DATABASE is of ${countriesOn}: networks move between countries, get a newer one.`]
      : ['ok', `by the database of ${countriesOn}`]
  },
  database: ({ database: { version, problem, isDurable, missingMigrations } }) => {
    if (problem !== null) return ['missing', problem]
    const [first] = missingMigrations
    const which = `${missingMigrations.length} from ${first} on`
    if (first !== undefined) return ['missing', `Migrations are missing, ${which}: \`npx prisma migrate deploy\`.`]
    if (!isDurable) return ['missing', 'Turn fsync and synchronous_commit on: a crash would lose what was answered.']
    return ['ok', `PostgreSQL ${version}`]
  },
  replica: ({ replica }) => {
    if (replica === null) return ['ok', 'none']
    const said = 'lists of the admin area are read from the database.'
    if (replica.problem !== null) return ['look', `DATABASE_REPLICA_URL does not answer (${replica.problem}): ${said}`]
    const [first] = replica.missingMigrations
    if (first !== undefined) return ['look', `DATABASE_REPLICA_URL has no migration ${first}: ${said}`]
    return replica.isStandby
      ? ['ok', 'follows a database']
      : ['look', 'DATABASE_REPLICA_URL leads to a database that follows no other one: its lists may be out of date.']
  },
  backups: ({ database }) =>
    database.isArchived
      ? ['ok', 'the write-ahead log is archived']
      : [
          'look',
          'The write-ahead log is not archived: take backups in another way, and restore one to see that it works.',
        ],
  clock: ({ database: { aheadMs } }) =>
    Math.abs(aheadMs) <= mostAheadMs
      ? ['ok', `within ${Math.abs(aheadMs)} ms of the database`]
      : [
          'missing',
          `The clocks of this machine and of the database are ${Math.abs(aheadMs)} ms apart: synchronize them.`,
        ],
  payments: ({ config, problems, ownAccounts }) => {
    if (ownAccounts === null) return unknown
    const hasKey = config[config.livePayments] !== null
    if (!hasKey && ownAccounts === 0) return ['missing', `Set ${paymentKeys}: live checkouts cannot be paid.`]
    if (problems.payments !== null) return ['missing', `A key of live payments is not served: ${problems.payments}.`]
    const bases = liveProviderNames.flatMap((name) => config[name]?.base ?? [])
    const standIn = bases.find((base) => !base.startsWith('https://'))
    if (standIn) return ['look', `Payments are taken at ${standIn}: that moves no money.`]
    const own = `${ownAccounts} ${ownAccounts === 1 ? 'storefront' : 'storefronts'} with an account of its own`
    if (!hasKey) return ['look', `Only ${own} can be paid: set ${paymentKeys} for the others.`]
    return ['ok', [...bases, ...(ownAccounts > 0 ? [own] : [])].join(', ')]
  },
  britishTaxIds: ({ config: { hmrc }, problems }) => {
    if (!hmrc) return ['ok', 'checked by their form alone']
    return problems.hmrc === null
      ? ['ok', `asked for at ${hmrc.apiBase}`]
      : ['look', `HMRC does not answer, so that VIES_UNKNOWN decides: ${problems.hmrc}.`]
  },
  currencies: ({ rates }) => {
    if (rates === null) return unknown
    const { newest, missing } = rates
    if (newest === null) return ['look', 'No reference rate of the last week is known: live checkouts stay in euros.']
    return missing.length === 0
      ? ['ok', `at the rates of ${newest}`]
      : ['look', `No reference rate of the last week is known: nobody can pay in ${missing.join(', ')}.`]
  },
  settlements: ({ config, ownAccounts, problems }) => {
    if (ownAccounts === null) return unknown
    const connected = liveProviderNames.filter((name) => config[name])
    if (connected.length === 0 && ownAccounts === 0) return ['ok', 'of no provider']
    const unread = connected.find((name) => !config[name]?.[liveProvider(name).readsSettlements])
    if (unread) {
      const { title, credentials, readsSettlements } = liveProvider(unread)
      return [
        'look',
        `Set ${credentials[readsSettlements]?.variable}: what ${title} pays you is not compared with the books.`,
      ]
    }
    return problems.settlements === null
      ? ['ok', 'compared']
      : ['look', `They cannot be read: ${problems.settlements}.`]
  },
  payouts: ({ config: { payoutsFrom, seller } }) => {
    if (!payoutsFrom) return ['look', 'Set PAYOUT_IBAN: without it merchants are paid by hand, not by a bank file.']
    return sepaText(seller.name)
      ? ['ok', `from ${maskedIban(payoutsFrom.iban)}`]
      : ['look', 'Write SELLER_NAME in Latin letters: banks take no others, and no bank file can be made.']
  },
  directDebits: ({ config }) =>
    config.sepaCreditorId
      ? ['ok', config.sepaCreditorId]
      : ['look', 'Set SEPA_CREDITOR_ID: emails that announce direct debits must name it.'],
  mail: ({ config: { mail }, problems }) => {
    if (!mail) return ['missing', 'Set SMTP_URL and MAIL_FROM: buyers get no receipts.']
    return problems.mail === null ? ['ok', mail.server.host] : ['missing', `The mail server refuses: ${problems.mail}.`]
  },
  bounces: ({ config }) =>
    config.emailNoticesSecret
      ? ['ok', 'taken']
      : ['look', 'Set EMAIL_NOTICES_SECRET: addresses that bounce are written to again and again.'],
  terms: ({ config: { termsUrl, privacyUrl } }) =>
    termsUrl && privacyUrl
      ? ['ok', termsUrl]
      : ['look', 'Set TERMS_URL and PRIVACY_URL, or both in the brand of each storefront.'],
  tasks: ({ config: { inngest }, problems, tasks }) => {
    if (tasks === 'unknown') return unknown
    if (tasks !== 'ok')
      return [
        'missing',
        `The oldest task is ${tasks}: is a worker running (npm start -- worker)? The admin area says what fails.`,
      ]
    if (!inngest) return ['ok', 'run by the processes']
    return problems.inngest === null
      ? ['ok', 'an Inngest server']
      : ['missing', `The Inngest server: ${problems.inngest}.`]
  },
  staff: ({ staff }) => {
    if (staff === null) return unknown
    return staff > 0
      ? ['ok', `${staff} with a second factor`]
      : ['missing', 'Nobody can review plans: `operator create`, and set up the second factor at /admin.']
  },
  invariants: ({ invariants }) => {
    if (invariants === 'unknown') return unknown
    return invariants === 'ok' ? ['ok', 'hold'] : ['missing', `The newest check: ${invariants}.`]
  },
}
