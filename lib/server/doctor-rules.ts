import type { StaffCount } from '../modules/operators/store.ts'
import type { Config } from '../platform/config.ts'
import { keyOf, type LiveProviderName, liveProvider, liveProviderNames } from '../platform/config-providers.ts'
import { type Archiving, archivingFailure } from './archiving.ts'
import { verdictOnTasks } from './doctor-tasks.ts'
import { type Verdict, verdictOnMailServer, verdictOnPayouts, verdictUnknown } from './doctor-verdicts.ts'
import { listed, paymentStandIns, registryStandIns, type ServiceSettings } from './stand-ins.ts'

/** The facts that `doctor` checks. Each `problem` and each value of `problems` is null if its check found no problem. */
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
    | keyof ServiceSettings
    | 'inngest'
  >
  readonly problems: {
    readonly address: string | null
    readonly payments: string | null
    readonly settlements: string | null
    readonly mail: string | null
    readonly inngest: string | null
    readonly countries: string | null
    readonly hmrc: string | null
  }
  /** The build date of the country database; null if no country database is configured. */
  readonly countriesOn: string | null
  readonly today: string
  readonly database: {
    readonly version: number
    /** Why the service cannot use the database, in one sentence; null if the service can use the database. */
    readonly problem: string | null
    readonly isDurable: boolean
    readonly archiving: Archiving
    /** Milliseconds by which the database clock is ahead of this machine's clock; negative if it is behind. */
    readonly aheadMs: number
    /** The names of missing migrations, oldest first. */
    readonly missingMigrations: readonly string[]
  }
  readonly replica: {
    readonly problem: string | null
    readonly isStandby: boolean
    readonly missingMigrations: readonly string[]
  } | null
  /** The date of the newest exchange rates, and the currencies without a rate; null while a migration is missing. */
  readonly rates: { readonly newest: string | null; readonly missing: readonly string[] } | null
  /** The number of tax registrations that have not ended; null while a migration is missing. */
  readonly registrations: number | null
  /** The number of storefronts with a separate account that accepts new payments; null while a migration is missing. */
  readonly ownAccounts: number | null
  /** Numbers of staff members; null while a migration is missing. */
  readonly staff: StaffCount | null
  readonly invariants: string
  /** States whether a worker runs, and whether tasks are late (see `Readiness`). */
  readonly tasks: string
  /** `ok`, why SECRET_KEY does not decrypt this database, or `unknown` while a migration is missing. */
  readonly secretKey: string
  /** Groups of encrypted values that no configured key decrypts, such as `second factors`. */
  readonly unreadable: readonly string[]
}

export interface Diagnosis {
  readonly check: string
  /** `missing`: live sales require the setting. `look`: the service works, but the operator should decide whether to change the setting. */
  readonly state: Verdict[0]
  readonly message: string
}

const mostAheadMs = 2_000
const oldestCountriesMs = 183 * 86_400_000
const paymentKeys = liveProviderNames.map(keyOf).join(' or ')

export const diagnose = (installation: Installation): Diagnosis[] =>
  Object.entries(checks).map(([check, of]) => {
    const [state, message] = of(installation)
    return { check, state, message }
  })

/** Returns a check for each invalid variable, and one check that says why all other checks were skipped. */
export const invalidSettings = (sentences: readonly string[]): Diagnosis[] => [
  ...sentences.map((message) => ({ check: 'settings', state: 'missing' as const, message })),
  { check: 'others', state: 'look', message: 'Correct the settings first. The other checks need them.' },
]

const checks: Readonly<Record<string, (installation: Installation) => Verdict>> = {
  environment: ({ config }) =>
    config.environment === 'production'
      ? ['ok', 'production']
      : ['missing', 'Set BILLHOOK_ENV=production, which requires secrets and the seller.'],
  secretKey: (installation) => {
    const { secretKey, unreadable } = installation
    if (secretKey === 'unknown') return verdictUnknown(installation)
    if (secretKey !== 'ok') return ['missing', secretKey]
    return unreadable.length === 0
      ? ['ok', 'decrypts the stored values']
      : ['look', `Cannot decrypt: ${unreadable.join(', ')}. Add the key that encrypted them to SECRET_KEY_PREVIOUS.`]
  },
  seller: ({ config: { environment, seller } }) => {
    if (environment !== 'production')
      return [
        'missing',
        'Set SELLER_NAME, SELLER_STREET, SELLER_POSTAL_CODE, SELLER_CITY, SELLER_COUNTRY and SELLER_VAT_ID.',
      ]
    return seller.email === null
      ? [
          'look',
          'Set SELLER_EMAIL. Consumers must see the address before they buy (Directive 2011/83/EU, art. 6(1)(c)).',
        ]
      : ['ok', `${seller.name}, ${seller.country}`]
  },
  registrations: (installation) => {
    const { registrations } = installation
    if (registrations === null) return verdictUnknown(installation)
    return registrations > 0
      ? ['ok', `${registrations} entered`]
      : [
          'look',
          'Add tax registrations (`registration add`). Without registrations, no foreign tax outside the ' +
            'EU is charged.',
        ]
  },
  address: ({ config: { publicBaseUrl }, problems }) => {
    if (!publicBaseUrl.startsWith('https://')) return ['missing', 'Set PUBLIC_BASE_URL to an https address.']
    return problems.address === null
      ? ['ok', publicBaseUrl]
      : ['missing', `${publicBaseUrl} does not reach this service: ${problems.address}.`]
  },
  proxy: ({ config }) =>
    config.clientAddressHeader
      ? ['ok', config.clientAddressHeader]
      : ['look', 'Set CLIENT_ADDRESS_HEADER behind a proxy. Otherwise, all buyers share one rate limit.'],
  countries: ({ config: { geoHeader, geoDatabase }, problems, countriesOn, today }) => {
    if (problems.countries !== null) return ['look', `GEO_DATABASE cannot be read: ${problems.countries}.`]
    if (!geoDatabase && !geoHeader)
      return [
        'look',
        'Set GEO_HEADER or GEO_DATABASE. Without them, only the address that buyers enter and their ' +
          'bank prove the country of a buyer.',
      ]
    if (countriesOn === null) return ['ok', `from the header ${geoHeader}`]
    const isOld = Date.parse(today) - Date.parse(countriesOn) > oldestCountriesMs
    return isOld
      ? ['look', `GEO_DATABASE is of ${countriesOn}, which is more than six months old. Install a newer database.`]
      : ['ok', `from the database of ${countriesOn}`]
  },
  database: ({ database: { version, problem, isDurable, missingMigrations } }) => {
    if (problem !== null) return ['missing', problem]
    const [first] = missingMigrations
    const which = `${missingMigrations.length} from ${first} on`
    if (first !== undefined) return ['missing', `The database lacks migrations, ${which}. Run \`npm run migrate\`.`]
    if (!isDurable)
      return ['missing', 'Turn on fsync and synchronous_commit. Otherwise, a crash can lose confirmed changes.']
    return ['ok', `PostgreSQL ${version}`]
  },
  replica: ({ replica }) => {
    if (replica === null) return ['ok', 'none']
    const said = 'lists of the admin area use the main database.'
    if (replica.problem !== null)
      return ['look', `The database in DATABASE_REPLICA_URL does not respond (${replica.problem}): ${said}`]
    const [first] = replica.missingMigrations
    if (first !== undefined)
      return ['look', `The database in DATABASE_REPLICA_URL lacks the migration ${first}: ${said}`]
    return replica.isStandby
      ? ['ok', 'is a replica']
      : [
          'look',
          'The database in DATABASE_REPLICA_URL is not a replica, so lists of the admin area can be out of date.',
        ]
  },
  backups: ({ database: { archiving } }) => {
    const failure = archivingFailure(archiving)
    if (failure !== null) return ['missing', failure]
    return archiving.isOn
      ? ['ok', 'the write-ahead log is archived']
      : ['look', 'The write-ahead log is not archived. Make backups in another way, and test them with a restore.']
  },
  clock: ({ database: { aheadMs } }) =>
    Math.abs(aheadMs) <= mostAheadMs
      ? ['ok', `within ${Math.abs(aheadMs)} ms of the database`]
      : [
          'missing',
          `The clocks of this machine and of the database are ${Math.abs(aheadMs)} ms apart. Synchronize the clocks.`,
        ],
  payments: (installation) => {
    const { config, problems, ownAccounts } = installation
    if (ownAccounts === null) return verdictUnknown(installation)
    const hasKey = config[config.livePayments] !== null
    if (!hasKey && ownAccounts === 0)
      return ['missing', `Set ${paymentKeys}. Without a key, live checkouts cannot be paid.`]
    if (problems.payments !== null)
      return ['missing', `A payment provider cannot take live payments: ${problems.payments}.`]
    const bases = liveProviderNames.flatMap((name) => config[name]?.base ?? [])
    const standIns = paymentStandIns(config, (name) => config[name] !== null || ownAccounts > 0)
    if (standIns.length > 0) return ['look', `Stand-ins take live payments and move no money: ${listed(standIns)}`]
    const own = `${ownAccounts} ${ownAccounts === 1 ? 'storefront' : 'storefronts'} with a separate account`
    if (!hasKey) return ['look', `Only ${own} can be paid. Set ${paymentKeys} for the other storefronts.`]
    return ['ok', [...bases, ...(ownAccounts > 0 ? [own] : [])].join(', ')]
  },
  britishTaxIds: ({ config: { hmrc }, problems }) => {
    if (!hmrc) return ['ok', 'checked by their form only']
    return problems.hmrc === null
      ? ['ok', `checked at ${hmrc.apiBase}`]
      : ['look', `HMRC does not respond, so VIES_UNKNOWN decides: ${problems.hmrc}.`]
  },
  officialServices: ({ config }) => {
    const standIns = registryStandIns(config)
    return standIns.length === 0
      ? ['ok', 'check tax IDs and publish exchange rates']
      : ['look', `Stand-ins respond in place of official services: ${listed(standIns)}`]
  },
  currencies: (installation) => {
    const { rates } = installation
    if (rates === null) return verdictUnknown(installation)
    const { newest, missing } = rates
    if (newest === null)
      return ['look', 'There are no reference rates of the last week, so live checkouts are in euros only.']
    return missing.length === 0
      ? ['ok', `with the rates of ${newest}`]
      : [
          'look',
          `There are no reference rates of the last week for some currencies. Buyers cannot pay in ${missing.join(', ')}.`,
        ]
  },
  settlements: (installation) => {
    const { config, ownAccounts, problems } = installation
    if (ownAccounts === null) return verdictUnknown(installation)
    const connected = liveProviderNames.filter((name) => config[name])
    if (connected.length === 0 && ownAccounts === 0) return ['ok', 'no provider']
    const unread = connected.find((name) => !config[name]?.[liveProvider(name).readsSettlements])
    if (unread) {
      const { title, credentials, readsSettlements } = liveProvider(unread)
      return [
        'look',
        `Set ${credentials[readsSettlements]?.variable}. Otherwise, the settlements of ${title} are not compared with the books.`,
      ]
    }
    return problems.settlements === null
      ? ['ok', 'compared']
      : ['look', `The settlements cannot be read: ${problems.settlements}.`]
  },
  payouts: verdictOnPayouts,
  directDebits: ({ config }) =>
    config.sepaCreditorId
      ? ['ok', config.sepaCreditorId]
      : ['look', 'Set SEPA_CREDITOR_ID. Without it, direct debits work, but the emails that announce them lack it.'],
  mail: verdictOnMailServer,
  bounces: ({ config }) =>
    config.emailNoticesSecret
      ? ['ok', 'received']
      : ['look', 'Set EMAIL_NOTICES_SECRET. Without it, emails to bouncing addresses do not stop.'],
  terms: ({ config: { termsUrl, privacyUrl } }) =>
    termsUrl && privacyUrl
      ? ['ok', termsUrl]
      : ['look', 'Set TERMS_URL and PRIVACY_URL, or both in the brand of each storefront.'],
  tasks: (installation) => {
    const { config, problems, tasks } = installation
    if (tasks === 'unknown') return verdictUnknown(installation)
    return verdictOnTasks({ tasks, usesInngest: Boolean(config.inngest), problem: problems.inngest })
  },
  staff: (installation) => {
    const { staff } = installation
    if (staff === null) return verdictUnknown(installation)
    if (staff.withSecondFactor > 0) return ['ok', `${staff.withSecondFactor} with a second factor`]
    return staff.all > 0
      ? ['missing', 'No operator has a second factor, so nobody can review plans. Log in at /admin, and set it up.']
      : ['missing', 'Nobody can review plans. Run `operator create`, and set up the second factor at /admin.']
  },
  invariants: (installation) => {
    const { invariants } = installation
    if (invariants === 'unknown') return verdictUnknown(installation)
    return invariants === 'ok' ? ['ok', 'hold'] : ['missing', `The newest check failed: ${invariants}.`]
  },
}
