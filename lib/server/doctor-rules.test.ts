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
  database: { version: 18, problem: null, isDurable: true, isArchived: true, aheadMs: 3, missingMigrations: [] },
  replica: { problem: null, isStandby: true, missingMigrations: [] },
  rates: { newest: '2027-01-04', missing: [] },
  registrations: 2,
  ownAccounts: 0,
  staff: 1,
  invariants: 'ok',
  tasks: 'ok',
  secretKey: 'ok',
} as const satisfies Installation

const { config, database, problems } = whole
const states = (installation: Installation) =>
  Object.fromEntries(diagnose(installation).flatMap(({ check, state }) => (state === 'ok' ? [] : [[check, state]])))

describe('an installation', () => {
  it('a complete installation lacks nothing', () => {
    expect(states(whole)).toEqual({})
  })

  it.each<[string, Partial<Installation>, Record<string, string>]>([
    [
      'of a developer',
      { config: { ...config, environment: 'development', publicBaseUrl: 'http://localhost:3000' } },
      { environment: 'missing', seller: 'missing', address: 'missing' },
    ],
    ['whose tasks are late', { tasks: 'late by 90 s' }, { tasks: 'missing' }],
    ['with another secret key', { secretKey: 'SECRET_KEY is another one.' }, { secretKey: 'missing' }],
    [
      'whose seller has no address for emails',
      { config: { ...config, seller: { ...config.seller, email: null } } },
      { seller: 'look' },
    ],
    [
      'that its address does not lead to',
      { problems: { ...problems, address: 'it answers 502' } },
      { address: 'missing' },
    ],
    ['without a tax registration', { registrations: 0 }, { registrations: 'look' }],
    ['without a proxy’s header', { config: { ...config, clientAddressHeader: null } }, { proxy: 'look' }],
    [
      'without a source of countries',
      { config: { ...config, geoDatabase: null }, countriesOn: null },
      { countries: 'look' },
    ],
    ['with countries of last year', { countriesOn: '2026-06-01' }, { countries: 'look' }],
    ['with a database that is away', { problems: { ...problems, countries: 'ENOENT' } }, { countries: 'look' }],
    ['that HMRC refuses', { problems: { ...problems, hmrc: 'NO_TOKEN_HTTP_401' } }, { britishTaxIds: 'look' }],
    ['that does not ask HMRC', { config: { ...config, hmrc: null } }, {}],
    ['with the header alone', { config: { ...config, geoHeader: 'cf-ipcountry' }, countriesOn: null }, {}],
    [
      'on a database that cannot be used',
      { database: { ...database, problem: 'It is too old.' } },
      { database: 'missing' },
    ],
    ['that loses commits', { database: { ...database, isDurable: false } }, { database: 'missing' }],
    [
      'that is not migrated, of which the rest is not known,',
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
    ['that is not migrated', { database: { ...database, missingMigrations: ['1'] } }, { database: 'missing' }],
    ['without a replica', { replica: null }, {}],
    [
      'whose replica is away',
      { replica: { problem: 'ECONNREFUSED', isStandby: false, missingMigrations: [] } },
      { replica: 'look' },
    ],
    [
      'whose replica is another database',
      { replica: { problem: null, isStandby: true, missingMigrations: ['1'] } },
      { replica: 'look' },
    ],
    [
      'whose replica is none',
      { replica: { problem: null, isStandby: false, missingMigrations: [] } },
      { replica: 'look' },
    ],
    ['that archives nothing', { database: { ...database, isArchived: false } }, { backups: 'look' }],
    ['with another clock', { database: { ...database, aheadMs: -2_001 } }, { clock: 'missing' }],
    ['without a payment provider', { config: { ...config, mollie: null } }, { payments: 'missing' }],
    [
      'with the key of the provider that takes no new payments alone',
      { config: { ...config, livePayments: 'stripe' } },
      { payments: 'missing' },
    ],
    ['with keys of storefronts alone', { config: { ...config, mollie: null }, ownAccounts: 2 }, { payments: 'look' }],
    ['with a wrong key', { problems: { ...problems, payments: 'Mollie answered 401' } }, { payments: 'missing' }],
    [
      'that asks a stand-in',
      { config: { ...config, mollie: { ...config.mollie, base: 'http://127.0.0.1:4010' } } },
      { payments: 'look' },
    ],
    ['without rates', { rates: { newest: null, missing: ['USD'] } }, { currencies: 'look' }],
    ['without one rate', { rates: { newest: '2027-01-04', missing: ['SEK'] } }, { currencies: 'look' }],
    [
      'whose settlements nobody reads',
      { config: { ...config, mollie: { ...config.mollie, accessToken: null } } },
      { settlements: 'look' },
    ],
    [
      'with a wrong access token',
      { problems: { ...problems, settlements: 'Mollie answered 401' } },
      { settlements: 'look' },
    ],
    ['that pays no merchant by file', { config: { ...config, payoutsFrom: null } }, { payouts: 'look' }],
    [
      'whose seller no bank can write',
      { config: { ...config, seller: { ...config.seller, name: 'Ωmega' } } },
      { payouts: 'look' },
    ],
    [
      'whose seller has quotation marks in its name',
      { config: { ...config, seller: { ...config.seller, name: 'SIA "Lumen"' } } },
      {},
    ],
    ['without a creditor', { config: { ...config, sepaCreditorId: null } }, { directDebits: 'look' }],
    ['without mail', { config: { ...config, mail: null } }, { mail: 'missing' }],
    ['with a mail server that refuses', { problems: { ...problems, mail: 'EAUTH' } }, { mail: 'missing' }],
    ['that takes no bounces', { config: { ...config, emailNoticesSecret: null } }, { bounces: 'look' }],
    ['without terms', { config: { ...config, termsUrl: null } }, { terms: 'look' }],
    ['without staff', { staff: 0 }, { staff: 'missing' }],
    ['with broken books', { invariants: 'broken on 2027-01-01: I1' }, { invariants: 'missing' }],
  ])('doctor names exactly the problems of an installation %s', (_, difference, expected) => {
    expect(states({ ...whole, ...difference })).toEqual(expected)
  })

  it('doctor shows no secrets', () => {
    const said = JSON.stringify(diagnose(whole))
    for (const secret of [config.mollie.apiKey, config.mail.server.auth.pass, config.emailNoticesSecret])
      expect(said).not.toContain(secret)
  })
})
