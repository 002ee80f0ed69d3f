import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { InvalidConfig, readConfig } from './config.ts'

const least = { SECRET_KEY: 'k'.repeat(32), DATABASE_URL: 'postgresql://billhook@localhost/billhook' }
const read = (differences: Record<string, string | undefined> = {}) => readConfig({ ...least, ...differences })

function sentences(differences: Record<string, string | undefined>): readonly string[] {
  try {
    read(differences)
  } catch (error) {
    if (error instanceof InvalidConfig) return error.sentences
    throw error
  }
  return []
}

describe('settings', () => {
  it('every setting except the secret key and the database has a default', () => {
    expect(read()).toMatchObject({
      environment: 'development',
      port: 3000,
      publicBaseUrl: 'http://localhost:3000',
      databasePool: 10,
      databaseDirectUrl: null,
      databaseReplicaUrl: null,
      webProcesses: null,
      secretKeyPrevious: [],
      termsUrl: null,
      checkoutTtl: { hours: 24 },
      rateLimitTest: 1200,
      rateLimitLive: 6000,
      rateLimitAnonymous: 300,
      rateLimitNotices: 6000,
      rateLimitForms: 30,
      rateLimitFormsAddress: 1200,
      webhookAllowedHosts: ['localhost:3000'],
      geoHeader: null,
      geoDatabase: null,
      hmrc: null,
      clientAddressHeader: null,
      fee: { part: { numerator: 5n, denominator: 100n }, fixed: 50n },
      inngest: null,
      providerBases: { mollie: 'https://api.mollie.com', stripe: 'https://api.stripe.com' },
      mollie: null,
      stripe: null,
      vies: { apiBase: 'https://ec.europa.eu/taxation_customs/vies/rest-api', acceptsUnknown: true },
      mail: null,
      logLevel: 'info',
    })
    expect(read().seller).toMatchObject({ country: 'NL', vatId: 'NL000099998B57' })
  })

  it('an empty environment variable counts as not set', () => {
    expect(read({ PORT: '', PUBLIC_BASE_URL: '', GEO_HEADER: '' })).toEqual(read())
  })

  it.each([
    [{}, { listenAddress: null }],
    [{ LISTEN_ADDRESS: '127.0.0.1' }, { listenAddress: '127.0.0.1' }],
    [{ LISTEN_ADDRESS: '::1' }, { listenAddress: '::1' }],
    [{ PORT: '4100' }, { port: 4100, publicBaseUrl: 'http://localhost:4100' }],
    [{ PORT: '4100', PUBLIC_BASE_URL: 'https://Pay.example.com/' }, { publicBaseUrl: 'https://pay.example.com' }],
    [{}, { testMailTo: [] }],
    [
      { TEST_MAIL_TO: ' Dev@Bücher.example,@Example.ORG ,example.com' },
      { testMailTo: ['dev@xn--bcher-kva.example', 'example.org', 'example.com'] },
    ],
    [{ PUBLIC_BASE_URL: 'https://bücher.example' }, { publicBaseUrl: 'https://xn--bcher-kva.example' }],
    [{ CHECKOUT_TTL: '90' }, { checkoutTtl: { seconds: 90 } }],
    [{ CHECKOUT_TTL: 'P1DT2H' }, { checkoutTtl: expect.objectContaining({ days: 1, hours: 2 }) }],
    [{ RATE_LIMIT_TEST: '0' }, { rateLimitTest: 0 }],
    [
      { WEBHOOK_ALLOWED_HOSTS: 'localhost:4000, Hooks.test' },
      { webhookAllowedHosts: ['localhost:4000', 'hooks.test', 'localhost:3000'] },
    ],
    [{ PORT: '4100' }, { webhookAllowedHosts: ['localhost:4100'] }],
    [{}, { webhookLoopback: true }],
    [{ WEBHOOK_LOOPBACK: 'off' }, { webhookLoopback: false }],
    [
      { RATE_LIMIT_FORMS: '0', RATE_LIMIT_FORMS_ADDRESS: '7' },
      { rateLimitForms: 0, rateLimitFormsAddress: 7 },
    ],
    [{ RATE_LIMIT_ANONYMOUS: '0' }, { rateLimitAnonymous: 0 }],
    [{ RATE_LIMIT_NOTICES: '0' }, { rateLimitNotices: 0 }],
    [{}, { retentionDays: { deliveries: 180, events: 400, emails: 1_461 } }],
    [{ EVENT_RETENTION_DAYS: '90' }, { retentionDays: expect.objectContaining({ deliveries: 90, events: 90 }) }],
    [{ EVENT_RETENTION_DAYS: '0' }, { retentionDays: expect.objectContaining({ deliveries: 180, events: 0 }) }],
    [{ DELIVERY_RETENTION_DAYS: '400' }, { retentionDays: expect.objectContaining({ deliveries: 400, events: 400 }) }],
    [{ EMAIL_RETENTION_DAYS: '0' }, { retentionDays: expect.objectContaining({ emails: 0 }) }],
    [{ GEO_HEADER: 'CF-IPCountry' }, { geoHeader: 'cf-ipcountry' }],
    [
      { HMRC_CLIENT_ID: 'id', HMRC_CLIENT_SECRET: 'hush' },
      { hmrc: { apiBase: 'https://api.service.hmrc.gov.uk', clientId: 'id', clientSecret: 'hush' } },
    ],
    [{ GEO_DATABASE: '/srv/country.mmdb' }, { geoDatabase: '/srv/country.mmdb' }],
    [{ CLIENT_ADDRESS_HEADER: 'X-Forwarded-For' }, { clientAddressHeader: 'x-forwarded-for' }],
    [{ FEE_PERCENT: '4.9', FEE_FIXED: '0.5' }, { fee: { part: { numerator: 49n, denominator: 1000n }, fixed: 50n } }],
    [{ FEE_FIXED: '12' }, { fee: expect.objectContaining({ fixed: 1200n }) }],
    [
      { SECRET_KEY_PREVIOUS: `${'a'.repeat(32)},${'b'.repeat(40)}` },
      { secretKeyPrevious: ['a'.repeat(32), 'b'.repeat(40)] },
    ],
    [{ INNGEST_DEV: '0' }, { inngest: null }],
    [
      { INNGEST_DEV: 'http://localhost:8288' },
      { inngest: { eventKey: null, signingKey: null, baseUrl: 'http://localhost:8288', dev: true } },
    ],
    [
      { INNGEST_EVENT_KEY: 'e', INNGEST_SIGNING_KEY: 's' },
      { inngest: { eventKey: 'e', signingKey: 's', baseUrl: null, dev: false } },
    ],
    [{ MAIL_FROM: 'billing@example.com' }, { mail: null }],
    [
      { SMTP_URL: 'smtps://us%40er:pa%2Fss@mail.example.com', MAIL_FROM: 'Billing@Example.com' },
      {
        mail: {
          server: { host: 'mail.example.com', port: 465, secure: true, auth: { user: 'us@er', pass: 'pa/ss' } },
          from: { name: '', address: 'billing@example.com' },
        },
      },
    ],
    [
      { SMTP_URL: 'smtp://[::1]/', MAIL_FROM: '"Lumen, Inc." <billing@example.com>' },
      {
        mail: {
          server: { host: '::1', port: 587, secure: false, auth: null },
          from: { name: 'Lumen, Inc.', address: 'billing@example.com' },
        },
      },
    ],
    [
      { SMTP_URL: 'smtp://mailpit:1025', MAIL_FROM: 'Lumen <billing@example.com>' },
      { mail: expect.objectContaining({ server: { host: 'mailpit', port: 1025, secure: false, auth: null } }) },
    ],
  ])('the configuration accepts and parses %j', (set, expected) => {
    expect(read(set)).toMatchObject(expected)
  })

  it.each([
    ['BILLHOOK_ENV', 'staging'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '3000x'],
    ['LISTEN_ADDRESS', 'localhost'],
    ['LISTEN_ADDRESS', '127.0.0.1:3000'],
    ['LISTEN_ADDRESS', '[::1]'],
    ['LISTEN_ADDRESS', '127.0.0.256'],
    ['PUBLIC_BASE_URL', 'pay.example.com'],
    ['PUBLIC_BASE_URL', 'ftp://pay.example.com'],
    ['PUBLIC_BASE_URL', 'https://pay.example.com/billing'],
    ['PUBLIC_BASE_URL', 'https://user:word@pay.example.com'],
    ['PUBLIC_BASE_URL', 'https://xn--a.com'],
    ['PUBLIC_BASE_URL', 'https://pay.example.com/?a'],
    ['DATABASE_URL', 'mysql://localhost/billhook'],
    ['DATABASE_URL', undefined],
    ['DATABASE_POOL', '0'],
    ['DATABASE_CONNECT_TIMEOUT', '0'],
    ['DATABASE_CONNECT_TIMEOUT', '601'],
    ['DATABASE_DIRECT_URL', 'mysql://localhost/billhook'],
    ['WEB_PROCESSES', '0'],
    ['SECRET_KEY', 'k'.repeat(31)],
    ['SECRET_KEY', undefined],
    ['SECRET_KEY_PREVIOUS', `${'a'.repeat(32)},short`],
    ['SELLER_NAME', 'x'.repeat(256)],
    ['SELLER_COUNTRY', 'nl'],
    ['SELLER_EMAIL', 'seller'],
    ['SELLER_STATEMENT_NAME', 'FOUR'],
    ['SELLER_STATEMENT_NAME', 'A NAME OF 23 CHARACTERS'],
    ['SELLER_STATEMENT_NAME', '12345'],
    ['SELLER_STATEMENT_NAME', 'BILL*HOOK'],
    ['SELLER_STATEMENT_NAME', 'MÜNCHEN'],
    ['SELLER_COUNTRY', 'XX'],
    ['TERMS_URL', '/terms'],
    ['PRIVACY_URL', 'javascript:alert(1)'],
    ['CHECKOUT_TTL', 'soon'],
    ['CHECKOUT_TTL', '0'],
    ['CHECKOUT_TTL', 'P2Y'],
    ['RATE_LIMIT_TEST', '-1'],
    ['RATE_LIMIT_LIVE', '1.5'],
    ['WEBHOOK_ALLOWED_HOSTS', 'http://localhost:4000'],
    ['RATE_LIMIT_ANONYMOUS', 'x'],
    ['RATE_LIMIT_NOTICES', '-1'],
    ['RATE_LIMIT_FORMS', '-1'],
    ['GEO_HEADER', 'bad header'],
    ['GEO_DATABASE', 'country.mmdb'],
    ['GEO_DATABASE', '/srv/country.csv'],
    ['CLIENT_ADDRESS_HEADER', 'a:b'],
    ['FEE_PERCENT', '101'],
    ['FEE_PERCENT', '5 %'],
    ['FEE_FIXED', '0.505'],
    ['INNGEST_BASE_URL', 'localhost:8288'],
    ['INNGEST_DEV', 'yes'],
    ['INNGEST_LEASE_SECONDS', '4'],
    ['MOLLIE_API_KEY', 'test_4pq8vcxYzRrBmnUFhgGsK2s7JJtFqu'],
    ['MOLLIE_API_KEY', 'live'],
    ['STRIPE_API_KEY', 'sk_test_4pq8vcxYzRrBmnUFhgGsK2s7JJtFqu'],
    ['STRIPE_API_KEY', 'pk_live_4pq8vcxYzRrBmnUFhgGsK2s7JJtFqu'],
    ['STRIPE_WEBHOOK_SECRET', 'short'],
    ['LIVE_PAYMENTS', 'sandbox'],
    ['LIVE_PAYMENTS', 'stripe'],
    ['MOLLIE_API_BASE', 'https://key@api.mollie.com'],
    ['VIES_UNKNOWN', 'perhaps'],
    ['LATE_TAX_ID', 'perhaps'],
    ['PAYOUT_HOLD_DAYS', '-1'],
    ['PAYOUT_HOLD_DAYS', '181'],
    ['DOCUMENT_RETENTION_YEARS', '5'],
    ['DOCUMENT_RETENTION_YEARS', '31'],
    ['EVENT_RETENTION_DAYS', '89'],
    ['EVENT_RETENTION_DAYS', '3651'],
    ['DELIVERY_RETENTION_DAYS', '89'],
    ['DELIVERY_RETENTION_DAYS', 'P90D'],
    ['EMAIL_RETENTION_DAYS', '379'],
    ['ECB_RATES_URL', 'ftp://example.com'],
    ['INNGEST_FALLBACK', 'remote'],
    ['TEST_MAIL_TO', 'dev'],
    ['TEST_MAIL_TO', 'dev@'],
    ['TEST_MAIL_TO', '*'],
    ['TEST_MAIL_TO', '*.example.com'],
    ['TEST_MAIL_TO', '@@example.com'],
    ['TEST_MAIL_TO', 'Dev <dev@example.com>'],
    ['TEST_MAIL_TO', 'dev@example.com example.org'],
    ['TEST_MAIL_TO', 'dev@example.com,'],
    ['TEST_MAIL_TO', 'dev@localhost'],
    ['SMTP_URL', 'mail.example.com:587'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://mail.example.com?pool=true'],
    ['SMTP_URL', 'smtp://user@mail.example.com'],
    ['SMTP_URL', 'smtp://us%er:password@mail.example.com'],
    ['MAIL_FROM', 'Lumen'],
    ['MAIL_FROM', 'billing@localhost'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['MAIL_FROM', 'Lumen\r\nBcc: x <billing@example.com>'],
    ['LOG_LEVEL', 'verbose'],
  ])('the configuration refuses %s=%s with one sentence that names the variable', (variable, value) => {
    const [sentence, ...others] = sentences({ [variable]: value })
    expect(others).toEqual([])
    expect(sentence).toMatch(new RegExp(`^${variable} (must be|is not set).*\\.$`))
  })

  it('a configuration error never shows the value of a variable', () => {
    expect(sentences({ SECRET_KEY: 'hunter2', DATABASE_URL: 'hunter2', PORT: 'hunter2' }).join()).not.toContain(
      'hunter2',
    )
  })

  it('an SMTP server without MAIL_FROM is refused', () => {
    expect(sentences({ SMTP_URL: 'smtp://mail.example.com' })).toEqual([
      expect.stringMatching('^MAIL_FROM must be set'),
    ])
  })

  it('HMRC_CLIENT_ID without HMRC_CLIENT_SECRET is refused', () => {
    const refused = [expect.stringMatching('^HMRC_CLIENT_SECRET must be set together')]
    expect(sentences({ HMRC_CLIENT_ID: 'id' })).toEqual(refused)
    expect(sentences({ HMRC_CLIENT_SECRET: 'hush' })).toEqual(refused)
  })

  it('a configuration error lists all invalid variables', () => {
    expect(sentences({ PORT: 'x', LOG_LEVEL: 'x' })).toHaveLength(2)
  })
})

describe('production', () => {
  it('the values in `.env.example` form a valid production configuration', () => {
    const text = readFileSync('.env.example', 'utf8').replaceAll(/^# (?=[A-Z_]+=)/gm, '')
    const proposed = Object.entries(parseEnv(text)).filter(([, value]) => value !== '' && !value?.includes('...'))
    expect(sentences({ ...Object.fromEntries(proposed), BILLHOOK_ENV: 'production' })).toEqual([])
  })

  const production = {
    BILLHOOK_ENV: 'production',
    PUBLIC_BASE_URL: 'https://pay.example.com',
    SELLER_NAME: 'Lumen B.V.',
    SELLER_STREET: 'Herengracht 1',
    SELLER_POSTAL_CODE: '1015 BA',
    SELLER_CITY: 'Amsterdam',
    SELLER_VAT_ID: 'NL000099998B57',
  }

  it('a production configuration with a secret key, an https URL, and a seller is valid', () => {
    expect(read(production)).toMatchObject({
      environment: 'production',
      webhookAllowedHosts: [],
      webhookLoopback: false,
    })
  })

  it('spaces and dots are removed from SELLER_VAT_ID', () => {
    const set = { ...production, SELLER_VAT_ID: '\u200eNL 0000.99998.B57' }
    expect(read(set).seller.vatId).toBe('NL000099998B57')
    expect(sentences({ ...set, SELLER_VAT_ID: ' - ' })).toEqual([expect.stringMatching('^SELLER_VAT_ID must be')])
  })

  it.each([
    ['SELLER_VAT_ID', 'NL000099998B75', 'NL000099998B57'],
    ['SEPA_CREDITOR_ID', 'DE89ZZZ09999999999', 'DE98ZZZ09999999999'],
    ['PAYOUT_IBAN', 'NL19ABNA0417164300', 'NL91 ABNA 0417 1643 00'],
    ['PAYOUT_BIC', 'ABNANL', 'ABNANL2A'],
  ])(
    '%s with a swapped or missing character is refused, and the error shows a valid example',
    (variable, wrong, example) => {
      const account = { ...production, PAYOUT_IBAN: 'NL91 ABNA 0417 1643 00' }
      expect(sentences({ ...account, [variable]: wrong })).toEqual([
        expect.stringMatching(`^${variable} must be .*, such as ${example}\\.$`),
      ])
      expect(sentences({ ...account, [variable]: example })).toEqual([])
    },
  )

  it('a tax number of a country without a check digit rule is accepted', () => {
    expect(read({ ...production, SELLER_COUNTRY: 'US', SELLER_VAT_ID: '12-3456789' }).seller.vatId).toBe('123456789')
  })

  it.each([
    ['SECRET_KEY', undefined],
    ['SELLER_CITY', undefined],
    ['SELLER_VAT_ID', undefined],
    ['PUBLIC_BASE_URL', undefined],
    ['PUBLIC_BASE_URL', 'http://pay.example.com'],
    ['WEBHOOK_ALLOWED_HOSTS', 'localhost:4000'],
    ['WEBHOOK_LOOPBACK', 'test'],
  ])('production refuses %s=%s, with "must be set" only for a missing variable', (variable, value) => {
    const says = value === undefined ? 'must be set in production' : '(?!must be set).*production'
    expect(sentences({ ...production, [variable]: value })).toEqual([expect.stringMatching(`^${variable} ${says}`)])
  })

  it('in production, the error names each missing variable of the seller', () => {
    expect(sentences({ ...production, SELLER_STREET: '', SELLER_CITY: '' })).toEqual([
      'SELLER_STREET must be set in production, because invoices show it.',
      'SELLER_CITY must be set in production, because invoices show it.',
    ])
  })

  it('in production, GEO_DATABASE without CLIENT_ADDRESS_HEADER is refused', () => {
    const set = { ...production, GEO_DATABASE: '/srv/country.mmdb' }
    expect(sentences(set)).toEqual([expect.stringMatching('^CLIENT_ADDRESS_HEADER must be set in production')])
    expect(read({ ...set, CLIENT_ADDRESS_HEADER: 'X-Real-IP' }).geoDatabase).toBe('/srv/country.mmdb')
  })

  it('the base URL of a service can be an https URL, or an http URL of the local machine', () => {
    const key = { MOLLIE_API_KEY: 'live_4pq8vcxYzRrBmnUFhgGsK2s7JJtFqu' }
    const names = ['MOLLIE_API_BASE', 'STRIPE_API_BASE', 'VIES_API_BASE', 'HMRC_API_BASE', 'ECB_RATES_URL']
    const usual = { base: 'https://api.mollie.com', accessToken: null, webhookSecret: null }
    expect(read(key).mollie).toEqual({ apiKey: key.MOLLIE_API_KEY, ...usual })
    for (const [given, base] of [
      ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
      ['http://localhost:4010/v2/', 'http://localhost:4010/v2'],
      ['http://[::1]:4010', 'http://[::1]:4010'],
      ['https://proxy.example.com/mollie', 'https://proxy.example.com/mollie'],
    ]) {
      const set = { ...key, ...Object.fromEntries(names.map((name) => [name, given])) }
      const { mollie, providerBases, vies, ecbRatesUrl } = read(set)
      expect([mollie?.base, providerBases.stripe, vies.apiBase, ecbRatesUrl]).toEqual([base, base, base, base])
      expect(read({ ...set, HMRC_CLIENT_ID: 'id', HMRC_CLIENT_SECRET: 'hush' }).hmrc?.apiBase).toBe(base)
    }
    const elsewhere = Object.fromEntries(names.map((name) => [name, 'http://192.0.2.1']))
    expect(
      sentences(elsewhere)
        .join(' ')
        .match(/\w+(?:_BASE|_URL)(?= must be)/g)
        ?.sort(),
    ).toEqual(names.sort())
    expect(read({ MOLLIE_API_BASE: 'http://localhost:1' }).mollie).toBeNull()
    expect(read({ ...key, MOLLIE_ACCESS_TOKEN: 'access_secret' }).mollie?.accessToken).toBe('access_secret')
  })

  it('an invalid IBAN, BIC, reserve, cooling period, or Mollie access token is refused', () => {
    expect(read({}).payoutsFrom).toBeNull()
    const account = { PAYOUT_IBAN: 'NL20 INGB 0001 2345 67', PAYOUT_BIC: 'ingbnl2a' }
    expect(read(account).payoutsFrom).toEqual({ iban: 'NL20INGB0001234567', bic: 'INGBNL2A' })
    expect(read({}).payoutReserve).toMatchObject({ share: { numerator: 0n }, days: 90 })
    expect(read({ PAYOUT_RESERVE_PERCENT: '2.5' }).payoutReserve.share).toEqual({ numerator: 25n, denominator: 1000n })
    for (const wrong of [
      { PAYOUT_IBAN: 'NL21INGB0001234567' },
      { PAYOUT_BIC: 'INGBNL2A' },
      { PAYOUT_RESERVE_PERCENT: '101' },
      { PAYOUT_RESERVE_DAYS: '0' },
      { PAYOUT_COOLING_DAYS: '31' },
      { MOLLIE_ACCESS_TOKEN: 'live_secret' },
    ])
      expect(() => read(wrong), JSON.stringify(wrong)).toThrow(/must be/)
  })

  it('LIVE_PAYMENTS selects the provider of new payments, and by default, a provider with an API key is used', () => {
    const mollie = { MOLLIE_API_KEY: 'live_4pq8vcxYzRrBmnUFhgGsK2s7JJtFqu' }
    const stripe = { STRIPE_API_KEY: 'rk_live_4pq8vcxYzRrBmnUFhgGsK2s7JJtFqu' }
    expect(read(mollie).livePayments).toBe('mollie')
    expect(read(stripe)).toMatchObject({
      livePayments: 'stripe',
      stripe: { apiKey: stripe.STRIPE_API_KEY, base: 'https://api.stripe.com', accessToken: null, webhookSecret: null },
    })
    expect(read({ ...mollie, ...stripe }).livePayments).toBe('mollie')
    expect(read({ ...mollie, ...stripe, LIVE_PAYMENTS: 'stripe' }).livePayments).toBe('stripe')
    expect(sentences({ ...mollie, LIVE_PAYMENTS: 'stripe' })).toEqual([expect.stringMatching('^LIVE_PAYMENTS ')])
  })
})
