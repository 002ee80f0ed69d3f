import { describe, expect, it } from 'vitest'
import { diagnose, type Installation } from './doctor-rules.ts'

const secrets = { accessToken: 'access_secret', webhookSecret: null }

const whole = {
  config: {
    environment: 'production',
    publicBaseUrl: 'https://pay.example.com',
    seller: {
      name: 'Lumen B.V.',
      street: 'A 1',
      postalCode: '1000',
      city: 'B',
      country: 'NL',
      vatId: 'NL1',
      email: 'seller@example.com',
      statementName: null,
    },
    sepaCreditorId: 'DE98ZZZ09999999999',
    termsUrl: 'https://example.com/terms',
    privacyUrl: 'https://example.com/privacy',
    mollie: { apiKey: 'live_secretsecretsecretsecret', base: 'https://api.mollie.com', ...secrets },
    stripe: null,
    livePayments: 'mollie',
    payoutsFrom: { iban: 'NL20INGB0001234567', bic: null },
    mail: {
      server: { host: 'mail.example.com', port: 465, secure: true, auth: { user: 'u', pass: 'sesame' } },
      from: { name: '', address: 'a@example.com' },
    },
    emailNoticesSecret: 'a secret of thirty-two characters',
    clientAddressHeader: 'x-forwarded-for',
    geoHeader: null,
    geoDatabase: '/srv/country.mmdb',
    hmrc: { apiBase: 'https://api.service.hmrc.gov.uk', clientId: 'id', clientSecret: 'sesame' },
    vies: { apiBase: 'https://ec.europa.eu/taxation_customs/vies/rest-api', acceptsUnknown: true },
    ecbRatesUrl: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
    providerBases: { mollie: 'https://api.mollie.com', stripe: 'https://api.stripe.com' },
    inngest: null,
  },
  problems: {
    address: null,
    payments: null,
    settlements: null,
    mail: null,
    inngest: null,
    countries: null,
    hmrc: null,
  },
  countriesOn: '2027-01-01',
  today: '2027-01-05',
  database: {
    version: 18,
    problem: null,
    isDurable: true,
    archiving: { isOn: true, lastSuccessAt: null, lastFailureAt: null },
    aheadMs: 3,
    missingMigrations: [],
  },
  replica: { problem: null, isStandby: true, missingMigrations: [] },
  rates: { newest: '2027-01-04', missing: [] },
  registrations: 2,
  ownAccounts: 0,
  staff: { all: 2, withSecondFactor: 1 },
  invariants: 'ok',
  tasks: 'ok',
  secretKey: 'ok',
  unreadable: [],
} as const satisfies Installation

const { config, database, problems } = whole
const hour = (n: number) => new Date(Date.UTC(2027, 0, 5, n))
const states = (installation: Installation) =>
  Object.fromEntries(diagnose(installation).flatMap(({ check, state }) => (state === 'ok' ? [] : [[check, state]])))

describe('the doctor command', () => {
  it('doctor finds no problem in a complete installation', () => {
    expect(states(whole)).toEqual({})
  })

  it.each<[string, Partial<Installation>, Record<string, string>]>([
    [
      'in development',
      { config: { ...config, environment: 'development', publicBaseUrl: 'http://localhost:3000' } },
      { environment: 'missing', seller: 'missing', address: 'missing' },
    ],
    ['with late tasks', { tasks: 'late by 90 s' }, { tasks: 'missing' }],
    ['without a worker', { tasks: 'no worker has run for 90 s' }, { tasks: 'missing' }],
    [
      "with another secret key than the database's",
      { secretKey: 'SECRET_KEY is another one.' },
      { secretKey: 'missing' },
    ],
    ['without the former key of stored values', { unreadable: ['second factors'] }, { secretKey: 'look' }],
    [
      'whose seller has no email address',
      { config: { ...config, seller: { ...config.seller, email: null } } },
      { seller: 'look' },
    ],
    [
      'whose public address does not respond',
      { problems: { ...problems, address: 'it answers 502' } },
      { address: 'missing' },
    ],
    ['without a tax registration', { registrations: 0 }, { registrations: 'look' }],
    [
      'without a proxy header for the client address',
      { config: { ...config, clientAddressHeader: null } },
      { proxy: 'look' },
    ],
    [
      "without a source of the visitor's country",
      { config: { ...config, geoDatabase: null }, countriesOn: null },
      { countries: 'look' },
    ],
    ['with a country database of last year', { countriesOn: '2026-06-01' }, { countries: 'look' }],
    ['with an unreadable country database', { problems: { ...problems, countries: 'ENOENT' } }, { countries: 'look' }],
    [
      'whose HMRC credentials are refused',
      { problems: { ...problems, hmrc: 'NO_TOKEN_HTTP_401' } },
      { britishTaxIds: 'look' },
    ],
    ['without HMRC', { config: { ...config, hmrc: null } }, {}],
    ['with only the country header', { config: { ...config, geoHeader: 'cf-ipcountry' }, countriesOn: null }, {}],
    ['whose database is too old', { database: { ...database, problem: 'It is too old.' } }, { database: 'missing' }],
    ['whose database can lose commits', { database: { ...database, isDurable: false } }, { database: 'missing' }],
    [
      'without a migration, so that other facts are unknown',
      {
        database: { ...database, missingMigrations: ['1'] },
        staff: null,
        ownAccounts: null,
        rates: null,
        registrations: null,
        tasks: 'unknown',
        secretKey: 'unknown',
        invariants: 'unknown',
      },
      {
        database: 'missing',
        tasks: 'look',
        secretKey: 'look',
        invariants: 'look',
        staff: 'look',
        payments: 'look',
        settlements: 'look',
        currencies: 'look',
        registrations: 'look',
      },
    ],
    ['without a migration', { database: { ...database, missingMigrations: ['1'] } }, { database: 'missing' }],
    ['without a replica', { replica: null }, {}],
    [
      'whose replica does not respond',
      { replica: { problem: 'ECONNREFUSED', isStandby: false, missingMigrations: [] } },
      { replica: 'look' },
    ],
    [
      'whose replica belongs to another database',
      { replica: { problem: null, isStandby: true, missingMigrations: ['1'] } },
      { replica: 'look' },
    ],
    [
      'whose replica is no standby',
      { replica: { problem: null, isStandby: false, missingMigrations: [] } },
      { replica: 'look' },
    ],
    [
      'without an archive of the write-ahead log',
      { database: { ...database, archiving: { ...database.archiving, isOn: false } } },
      { backups: 'look' },
    ],
    [
      'that failed to archive the write-ahead log before it succeeded',
      { database: { ...database, archiving: { isOn: true, lastSuccessAt: hour(2), lastFailureAt: hour(1) } } },
      {},
    ],
    [
      'that fails to archive the write-ahead log',
      { database: { ...database, archiving: { isOn: true, lastSuccessAt: hour(1), lastFailureAt: hour(2) } } },
      { backups: 'missing' },
    ],
    [
      'that failed before the archive was switched off',
      { database: { ...database, archiving: { isOn: false, lastSuccessAt: null, lastFailureAt: hour(2) } } },
      { backups: 'look' },
    ],
    [
      'whose database clock differs by more than two seconds',
      { database: { ...database, aheadMs: -2_001 } },
      { clock: 'missing' },
    ],
    ['without a payment provider', { config: { ...config, mollie: null } }, { payments: 'missing' }],
    [
      'with a key only for the provider that takes no new payments',
      { config: { ...config, livePayments: 'stripe' } },
      { payments: 'missing' },
    ],
    [
      'with only accounts of storefronts',
      { config: { ...config, mollie: null }, ownAccounts: 2 },
      { payments: 'look' },
    ],
    [
      'whose payment key is refused',
      { problems: { ...problems, payments: 'Mollie answered 401' } },
      { payments: 'missing' },
    ],
    [
      'with a stand-in as payment provider',
      { config: { ...config, providerBases: { ...config.providerBases, mollie: 'http://127.0.0.1:4010' } } },
      { payments: 'look' },
    ],
    [
      'with a stand-in of a provider without a key',
      { config: { ...config, providerBases: { ...config.providerBases, stripe: 'http://127.0.0.1:4012' } } },
      {},
    ],
    [
      'with a stand-in of VIES',
      { config: { ...config, vies: { ...config.vies, apiBase: 'http://127.0.0.1:4011' } } },
      { officialServices: 'look' },
    ],
    ['without exchange rates', { rates: { newest: null, missing: ['USD'] } }, { currencies: 'look' }],
    ['without one exchange rate', { rates: { newest: '2027-01-04', missing: ['SEK'] } }, { currencies: 'look' }],
    [
      'without access to settlements',
      { config: { ...config, mollie: { ...config.mollie, accessToken: null } } },
      { settlements: 'look' },
    ],
    [
      'whose access token is refused',
      { problems: { ...problems, settlements: 'Mollie answered 401' } },
      { settlements: 'look' },
    ],
    ['without an account for payout files', { config: { ...config, payoutsFrom: null } }, { payouts: 'look' }],
    [
      "whose seller's name has a letter that banks refuse",
      { config: { ...config, seller: { ...config.seller, name: 'Ωmega' } } },
      { payouts: 'look' },
    ],
    [
      "whose seller's name has quotation marks",
      { config: { ...config, seller: { ...config.seller, name: 'SIA "Lumen"' } } },
      {},
    ],
    ['without a SEPA creditor identifier', { config: { ...config, sepaCreditorId: null } }, { directDebits: 'look' }],
    ['without a mail server', { config: { ...config, mail: null } }, { mail: 'missing' }],
    ['whose mail server refuses the log-in', { problems: { ...problems, mail: 'EAUTH' } }, { mail: 'missing' }],
    ['without a secret for bounce notices', { config: { ...config, emailNoticesSecret: null } }, { bounces: 'look' }],
    ['without a URL of its terms', { config: { ...config, termsUrl: null } }, { terms: 'look' }],
    ['without staff', { staff: { all: 0, withSecondFactor: 0 } }, { staff: 'missing' }],
    ['whose staff has no second factor', { staff: { all: 1, withSecondFactor: 0 } }, { staff: 'missing' }],
    ['with a violated invariant', { invariants: 'broken on 2027-01-01: I1' }, { invariants: 'missing' }],
  ])('doctor reports exactly the problems of an installation %s', (_, difference, expected) => {
    expect(states({ ...whole, ...difference })).toEqual(expected)
  })

  it('doctor names the character of SELLER_NAME that banks refuse, and the characters that banks accept', () => {
    const named = { ...whole, config: { ...config, seller: { ...config.seller, name: 'Lumen #1 B.V.' } } }
    expect(diagnose(named).find(({ check }) => check === 'payouts')?.message).toMatch(
      /^Banks do not accept the character # in SELLER_NAME, so no bank file can be made\. Use only Latin letters .*\.$/,
    )
  })

  it('the output of doctor contains no secrets', () => {
    const said = JSON.stringify(diagnose(whole))
    for (const secret of [config.mollie.apiKey, config.mail.server.auth.pass, config.emailNoticesSecret])
      expect(said).not.toContain(secret)
  })
})

it.each([
  [hour(1), 'The last success was at 2027-01-05T01:00:00Z.'],
  [null, 'No attempt succeeded.'],
])(
  'if the archiving of the write-ahead log fails, doctor states the time of the last success: %s',
  (lastSuccessAt, sentence) => {
    const archiving = { isOn: true, lastSuccessAt, lastFailureAt: hour(2) }
    const found = diagnose({ ...whole, database: { ...database, archiving } })
    expect(found.find(({ check }) => check === 'backups')?.message).toBe(
      `PostgreSQL fails to archive its write-ahead log, last at 2027-01-05T02:00:00Z. ${sentence} ` +
        'Correct archive_command. The log of PostgreSQL states the reason.',
    )
  },
)

it('doctor reports each configured stand-in with its environment variable and address', () => {
  const stripe = { apiKey: 'sk_live_secret', base: 'http://127.0.0.1:4012', ...secrets }
  const providerBases = { mollie: 'http://127.0.0.1:4010', stripe: 'http://127.0.0.1:4012' }
  const hmrc = { ...config.hmrc, apiBase: 'http://127.0.0.1:4013' }
  const found = diagnose({ ...whole, config: { ...config, stripe, providerBases, hmrc } })
  const messageOf = (check: string) => found.find((each) => each.check === check)?.message
  expect(messageOf('payments')).toBe(
    'Stand-ins take live payments and move no money: MOLLIE_API_BASE=http://127.0.0.1:4010, ' +
      'STRIPE_API_BASE=http://127.0.0.1:4012. Remove these variables for real sales.',
  )
  expect(messageOf('officialServices')).toBe(
    'Stand-ins respond in place of official services: HMRC_API_BASE=http://127.0.0.1:4013. ' +
      'Remove this variable for real sales.',
  )
})
