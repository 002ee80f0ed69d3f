// This file is longer than 300 lines because it is a table: one command after the other.
import { addDuration, parseTypedDuration } from '../kernel/calendar.ts'
import { csvTable } from '../kernel/csv.ts'
import { type Currency, currencies } from '../kernel/currencies.ts'
import { type Locale, locales } from '../kernel/locale.ts'
import { invalid } from '../kernel/refusal.ts'
import { type ChargebackStatus, chargebackStates } from '../modules/chargebacks/rules/state.ts'
import type { EmailKind } from '../modules/emails/rules/email.ts'
import { emailKinds } from '../modules/emails/rules/required.ts'
import type { Finding } from '../modules/invariants/operations.ts'
import { type Role, roles } from '../modules/operators/rules/access.ts'
import { type FailureReason, failureReasons } from '../modules/payments/rules/failure.ts'
import { type Credentials, liveProviderNames, liveProviders } from '../platform/config-providers.ts'
import type { Diagnosis } from '../server/doctor-rules.ts'
import type { Transferred } from '../workflows/transfer/export.ts'
import { brandRecord, changesOf, writePreview } from './brand.ts'
import { writeEvidence } from './evidence.ts'
import { readPassphrase } from './passphrase.ts'

export interface Flag {
  /** The placeholder for the value in the help. */
  readonly value: string
  readonly help: string
  readonly required?: boolean
  readonly oneOf?: readonly string[]
  /** An empty value means something: it clears what is there. */
  readonly mayBeEmpty?: true
  /** Others can read a command line: a secret may also be given as `--NAME-file`. */
  readonly isSecret?: true
}

type Flags = Readonly<Record<string, Flag>>

type Values<Of extends Flags> = {
  [Name in keyof Of]: Of[Name] extends { required: true } ? string : string | undefined
}

interface Definition<Of extends Flags> {
  readonly noun: string
  /** Absent for nouns that need no verb. */
  readonly verb?: string
  /** Without a full stop. */
  readonly summary: string
  readonly flags: Of
  /** The answer is meant for programs: JSON even without `--json`. */
  readonly alwaysJson?: true
  /** It seals and opens nothing: it runs also with a SECRET_KEY that is not this database's. */
  readonly withAnyKey?: true
  /** Fields of a row that do not fit a table; they are shown only in JSON. */
  readonly jsonOnly?: readonly string[]
  /** Whether the answer reports a problem: it is shown, and the exit code is 1. */
  isBad?(answer: unknown): boolean
  run(flags: Values<Of>): Promise<unknown>
  /** A closing sentence, shown in the readable output only. */
  lastWord?(answer: unknown): Promise<string>
}

export type Command = Definition<Flags>

const command = <const Of extends Flags>(definition: Definition<Of>) => definition as unknown as Command

const customer = { value: 'ID', help: "the customer's id", required: true } as const
const storefront = { value: 'ID', help: "the storefront's id", required: true } as const
const passphraseFile = {
  value: 'FILE',
  help: 'a file with the passphrase that seals the secrets, of 16 characters or more',
  required: true,
} as const
const password = { value: 'PASSWORD', help: '12 characters or more', required: true, isSecret: true } as const
const mode = { value: 'test|live', help: 'the mode', oneOf: ['test', 'live'] } as const
const limit = { value: 'N', help: 'at most so many, newest first (50)' } as const
const subscription = { value: 'ID', help: "the subscription's id", required: true } as const
const emailKind = { value: 'KIND', help: 'the kind', required: true, oneOf: emailKinds } as const
const cleared = (value: string, help: string) => ({ value, help, mayBeEmpty: true }) as const
const brandFlags = {
  'display-name': cleared('NAME', "what buyers read instead of the storefront's name"),
  logo: cleared('FILE', 'a PNG, JPEG, WebP or SVG image of at most 512 kB'),
  accent: cleared('#RRGGBB', 'the color of buttons and links, with a contrast of 4.5:1 to white'),
  'support-email': cleared('ADDRESS', 'where buyers ask questions'),
  'support-url': cleared('URL', 'a page with help, https'),
  'terms-url': cleared('URL', "instead of the configuration's, https"),
  'privacy-url': cleared('URL', "instead of the configuration's, https"),
} as const

const taxReturnFlags = {
  mode: { ...mode, help: 'the mode (live)' },
  storefront: { value: 'ID', help: "in test mode the storefront's id" },
  format: { value: 'table|csv', help: 'how it is written (table)', oneOf: ['table', 'csv'] },
} as const
const month = {
  value: 'PERIOD',
  help: 'a year, a quarter or a month, such as 2026, 2026-Q4 or 2026-12',
  required: true,
} as const

const accountKeys = {
  'api-key': { value: 'KEY', help: 'a live key of the account', required: true, isSecret: true },
  'access-token': {
    ...{ value: 'TOKEN', help: "Mollie's, with settlements.read: what it pays is compared with the books" },
    isSecret: true,
  },
  'webhook-secret': { value: 'SECRET', help: "Stripe's, of the endpoint for this account", isSecret: true },
} as const
const credentialsIn = (keys: Values<typeof accountKeys>) =>
  ({
    ...{ apiKey: keys['api-key'], accessToken: keys['access-token'], webhookSecret: keys['webhook-secret'] },
  }) satisfies Record<keyof Credentials, string | undefined>
const accountsAt = Object.values(liveProviders)
  .map(({ title }) => title)
  .join(' or ')
const payoutFlags = {
  storefront,
  amount: { value: 'AMOUNT', help: 'such as 50.00', required: true },
  currency: { value: 'CURRENCY', help: `one of ${currencies.join(', ')} (EUR)`, oneOf: currencies },
  reference: {
    value: 'REF',
    help: 'such as that of the transfer; with it a payout is made once, unless it was canceled or came back',
  },
  mode,
} as const
const payoutMove = { paid: 'confirm', returned: 'return', canceled: 'cancel' } as const

const review = { value: 'ID', help: "the plan's or product's id", required: true } as const

// Each command loads its operations when it runs, so that unused modules cost no time.
const accounts = () => import('../modules/accounts/operations.ts')
const brand = () => import('../modules/brand/operations.ts')
const catalog = () => import('../modules/catalog/operations.ts')
const chargebacks = () => import('../workflows/chargeback/operations.ts')
const ledger = () => import('../modules/ledger/operations.ts')
const payouts = () => import('../modules/payouts/operations.ts')
const payoutExports = () => import('../modules/payouts/export.ts')
const payoutAccounts = () => import('../modules/payouts/accounts.ts')
const statements = () => import('../modules/ledger/statement.ts')
const balances = () => import('../workflows/reconciliation/reconcile.ts')
const reconciliation = () => import('../workflows/reconciliation/daily.ts')
const recalls = () => import('../workflows/refund/recall.ts')
const refunds = () => import('../workflows/refund/operations.ts')
const backups = () => import('../platform/db/backup.ts')
const installation = () => import('../server/doctor.ts')
const invariants = () => import('../modules/invariants/operations.ts')
const invoiceUpdates = () => import('../workflows/invoice-update/operations.ts')
const emails = () => import('../modules/emails/operations.ts')
const providerAccounts = () => import('../workflows/provider-accounts/operations.ts')
const payments = () => import('../workflows/reconciliation/provider-ledger.ts')
const operators = () => import('../modules/operators/operations.ts')
const audit = () => import('../modules/audit/operations.ts')
const tax = () => import('../modules/tax/operations.ts')
const transfers = {
  export: () => import('../workflows/transfer/export.ts'),
  csv: () => import('../workflows/transfer/csv.ts'),
  import: () => import('../workflows/transfer/import.ts'),
  hold: () => import('../workflows/transfer/hold.ts'),
}
const taxEvidence = () => import('../workflows/tax-evidence/pack.ts')
const taxReturns = () => import('../workflows/tax-returns/operations.ts')
const erasure = () => import('../workflows/erasure/operations.ts')
const personalData = () => import('../workflows/erasure/export.ts')
const portal = () => import('../modules/portal/operations.ts')
const subscriptions = () => import('../workflows/subscription-change/operations.ts')
const mandates = () => import('../workflows/test-helpers/mandates.ts')
const testHelpers = () => import('../workflows/test-helpers/operations.ts')
const webhooks = () => import('../modules/webhooks/operations.ts')

const periodAsked = (flags: { period: string; mode?: string | undefined; storefront?: string | undefined }) => ({
  period: flags.period,
  testmode: flags.mode === 'test',
  storefrontId: flags.storefront ?? null,
})

async function written<Row extends Record<string, string | number | null>>(
  { format }: { format?: string | undefined },
  rows: Promise<Row[]>,
): Promise<Row[] | string> {
  return format === 'csv' ? csvTable(await rows) : rows
}

/** What the state of a storefront that moves is when a key was lost. */
const unopenedWords = ({ unopened }: Transferred): string =>
  unopened === 0
    ? ''
    : ` Sealed values that no key opens: ${unopened}, such as emails, secrets of webhook endpoints and bank details. They are lost there ` +
      'as they are here, unless the key that they were sealed with is found again: then put it into SECRET_KEY_PREVIOUS.'

/** The commands, in the order of the help. */
export const commands: readonly Command[] = [
  command({
    noun: 'merchant',
    verb: 'create',
    summary: 'Make a merchant',
    flags: { name: { value: 'NAME', help: 'what the company is called (Merchant)' } },
    run: async ({ name = 'Merchant' }) => (await accounts()).createMerchant({ name }),
  }),
  command({
    noun: 'storefront',
    verb: 'create',
    summary: 'Make a storefront with a key for each mode, shown this once',
    flags: {
      merchant: { value: 'ID', help: "the merchant's id", required: true },
      name: { value: 'NAME', help: 'what buyers read', required: true },
    },
    alwaysJson: true,
    run: async ({ merchant, name }) => (await accounts()).createStorefront({ merchantId: merchant, name }),
  }),
  command({
    noun: 'storefront',
    verb: 'export',
    summary: 'Write all of a storefront, in both modes, to a file that another installation can import',
    flags: {
      storefront,
      out: { value: 'FILE', help: 'a file, or for csv a folder, that does not exist yet', required: true },
      'passphrase-file': { value: passphraseFile.value, help: passphraseFile.help },
      format: {
        value: 'file|csv',
        help: 'a file for `storefront import`, or the lists of the admin area as CSV (file)',
        oneOf: ['file', 'csv'],
      },
      as: {
        value: 'copy|move',
        help: 'a copy for the records, or a move: then the storefront is put on hold here (copy)',
        oneOf: ['copy', 'move'],
      },
    },
    async run({ storefront, out, as, format, 'passphrase-file': file }) {
      if (format === 'csv' && as === 'move')
        throw invalid('as', 'A move needs a file that can be imported: leave out --format csv.')
      if (format === 'csv') return (await transfers.csv()).exportCsvFiles(storefront, out)
      if (file === undefined) throw invalid('passphraseFile', 'Is needed: the secrets in the file are sealed with it.')
      const passphrase = await readPassphrase(file)
      const { exportStorefront } = await transfers.export()
      return exportStorefront({ storefrontId: storefront, out, passphrase, as: as === 'move' ? 'move' : 'copy' })
    },
    async lastWord(answer) {
      if ((answer as Partial<Transferred>).as === undefined)
        return 'They have personal data: keep them where nobody else reads them.'
      const what =
        (answer as Transferred).as === 'move'
          ? 'The storefront is on hold here. `storefront release` lets it go on here, if it is not imported elsewhere.'
          : 'It is a copy: the storefront continues here.'
      return `${what}${unopenedWords(answer as Transferred)}`
    },
  }),
  command({
    noun: 'storefront',
    verb: 'import',
    summary: 'Put a storefront of another installation into this one, on hold, whole or not at all',
    flags: {
      in: { value: 'FILE', help: 'a file that `storefront export` wrote', required: true },
      'passphrase-file': passphraseFile,
    },
    run: async ({ in: from, 'passphrase-file': file }) => {
      const passphrase = await readPassphrase(file)
      return (await transfers.import()).importStorefront({ in: from, passphrase })
    },
    async lastWord(answer) {
      const what =
        (answer as Transferred).as === 'move'
          ? 'It is on hold: `invariants` checks it, `storefront release` lets it go on here.'
          : 'It is on hold. The file is a copy: `storefront release` only once the other installation has stopped for good, or buyers are charged twice.'
      return `${what}${unopenedWords(answer as Transferred)}`
    },
  }),
  command({
    noun: 'storefront',
    verb: 'release',
    summary: 'Let a storefront go on that is on hold because it moves',
    flags: { storefront },
    run: async ({ storefront }) => (await transfers.hold()).release(storefront),
  }),
  command({
    noun: 'portal',
    verb: 'address',
    summary: "Show the page on which a storefront's customers ask for a link, in each mode",
    flags: { storefront },
    run: async ({ storefront }) => (await portal()).signInPages(storefront),
  }),
  command({
    noun: 'portal',
    verb: 'end',
    summary: "End a customer's portal links and sessions now",
    flags: { customer },
    run: async ({ customer }) => (await portal()).endSessions(customer),
  }),
  command({
    noun: 'brand',
    verb: 'show',
    summary: 'Show what the hosted pages and emails of a storefront show of it',
    flags: { storefront },
    run: async ({ storefront }) => brandRecord(await (await brand()).brandOf(storefront)),
  }),
  command({
    noun: 'brand',
    verb: 'set',
    summary: 'Change the brand of a storefront; an empty value clears its field',
    flags: { storefront, ...brandFlags },
    run: async ({ storefront, ...flags }) =>
      brandRecord(await (await brand()).saveBrand(storefront, await changesOf(flags))),
  }),
  command({
    noun: 'brand',
    verb: 'preview',
    summary: 'Write a page as HTML, in light and in dark, as it would look after such a change; save nothing',
    flags: { storefront, ...brandFlags, out: { value: 'FILE', help: 'where to write it (to the terminal)' } },
    run: async ({ storefront, out, ...flags }) => {
      const html = await (await brand()).previewBrand(storefront, await changesOf(flags))
      return out === undefined ? html : writePreview(out, html)
    },
  }),
  command({
    noun: 'registration',
    verb: 'add',
    summary: 'Enter where the seller is registered for tax: live mode collects it there',
    flags: {
      country: { value: 'GB', help: 'the two-letter code of the country', required: true },
      region: { value: 'QC', help: 'a province of Canada with a tax of its own' },
      number: { value: 'NUMBER', help: 'the number of the registration', required: true },
      scheme: { value: 'local|oss|ioss', help: 'how it is declared (local)', oneOf: ['local', 'oss', 'ioss'] },
      from: { value: 'DAY', help: 'its first day, such as 2026-11-23', required: true },
      until: { value: 'DAY', help: 'its last day' },
    },
    run: async ({ scheme = 'local', ...given }) => (await tax()).addRegistration({ ...given, scheme }),
  }),
  command({
    noun: 'registration',
    verb: 'list',
    summary: 'List where the seller is registered for tax',
    flags: {},
    run: async () => (await tax()).listRegistrations(),
  }),
  command({
    noun: 'registration',
    verb: 'end',
    summary: 'End a registration with a day',
    flags: {
      registration: { value: 'ID', help: "the registration's id", required: true },
      until: { value: 'DAY', help: 'its last day, such as 2026-12-31', required: true },
    },
    run: async ({ registration, until }) => (await tax()).endRegistration(registration, until),
  }),
  command({
    noun: 'tax-return',
    verb: 'oss',
    summary: "Show the One Stop Shop's return for a quarter, in euros",
    flags: {
      period: { ...month, help: 'the quarter, such as 2026-Q4' },
      ...taxReturnFlags,
      format: {
        value: 'table|csv|portal',
        help: "how it is written (table); portal: for the upload where the seller's registration is, of a quarter that has ended",
        oneOf: ['table', 'csv', 'portal'],
      },
    },
    run: async (flags) =>
      flags.format === 'portal'
        ? (await taxReturns()).ossFileOf(periodAsked(flags))
        : written(flags, (await taxReturns()).ossReturnOf(periodAsked(flags))),
  }),
  command({
    noun: 'tax-return',
    verb: 'sales-list',
    summary: 'Show the EC sales list: what companies in other member states bought with reverse charge, in euros',
    flags: { period: month, ...taxReturnFlags },
    run: async (flags) => written(flags, (await taxReturns()).salesListFor(periodAsked(flags))),
  }),
  command({
    noun: 'tax-return',
    verb: 'thresholds',
    summary: 'Show what consumers in other countries bought in a year, in euros, beside the thresholds that count it',
    flags: { period: { ...month, help: 'the year, such as 2026' }, ...taxReturnFlags },
    run: async (flags) => written(flags, (await taxReturns()).thresholdsFor(periodAsked(flags))),
  }),
  command({
    noun: 'tax-return',
    verb: 'totals',
    summary: 'Show what was sold and credited by country and rate, beside the tax in the ledger; fails if they differ',
    flags: { period: month, ...taxReturnFlags },
    isBad: (rows) => Array.isArray(rows) && rows.some(({ difference }) => difference !== null && difference !== '0.00'),
    run: async (flags) => written(flags, (await taxReturns()).taxTotalsFor(periodAsked(flags))),
  }),
  command({
    noun: 'customer',
    verb: 'export',
    summary: 'Write all that is stored about a customer (GDPR, art. 15 and 20)',
    flags: { customer },
    alwaysJson: true,
    run: async ({ customer }) => (await personalData()).exportCustomer(customer),
  }),
  command({
    noun: 'customer',
    verb: 'erase',
    summary: 'Erase what names a customer, but for issued documents until their time ends (GDPR, art. 17)',
    flags: { customer },
    run: async ({ customer }) => (await erasure()).erase(customer),
  }),
  command({
    noun: 'evidence',
    verb: 'show',
    summary: "Show what a sale's tax in live mode was decided by",
    flags: {
      order: { value: 'ID', help: "the order's id", required: true },
      pdf: { value: 'FILE', help: 'also written there, as a PDF' },
    },
    alwaysJson: true,
    run: async ({ order, pdf }) => {
      const pack = await (await taxEvidence()).evidencePack(order)
      if (pdf !== undefined) await writeEvidence(pdf, pack)
      return pack
    },
  }),
  command({
    noun: 'key',
    verb: 'create',
    summary: 'Issue a key, shown this once',
    flags: {
      storefront,
      mode: { ...mode, required: true },
      'expires-in': { value: '30d', help: 'a duration such as 12h, 30d or P1M; without it the key does not expire' },
    },
    alwaysJson: true,
    run: async ({ storefront, mode, 'expires-in': expiresIn }) => {
      const request = { storefrontId: storefront, testmode: mode === 'test' }
      return (await accounts()).createKey(
        expiresIn === undefined ? request : { ...request, expiresInMs: milliseconds('expires-in', expiresIn, 1) },
      )
    },
  }),
  command({
    noun: 'key',
    verb: 'list',
    summary: "List a storefront's keys, without the keys themselves",
    flags: { storefront },
    run: async ({ storefront }) =>
      (await (await accounts()).listKeys(storefront)).map(({ id, ...key }) => ({ keyId: id, ...key })),
  }),
  command({
    noun: 'key',
    verb: 'revoke',
    summary: 'End a key now',
    flags: { key: { value: 'KEYID', help: "the key's id", required: true } },
    run: async ({ key }) => {
      await (await accounts()).revokeKey({ keyId: key })
      return { keyId: key, revoked: true }
    },
  }),
  command({
    noun: 'key',
    verb: 'rotate',
    summary: 'Issue a new key in place of another, which can be used for another day',
    flags: {
      key: { value: 'KEYID', help: "the old key's id", required: true },
      'expire-old-in': { value: '24h', help: 'when the old key ends, such as 1h or 7d, or 0s for now (24h)' },
    },
    alwaysJson: true,
    run: async ({ key, 'expire-old-in': overlap }) =>
      (await accounts()).rotateKey(
        { keyId: key },
        overlap === undefined ? undefined : milliseconds('expire-old-in', overlap),
      ),
  }),
  command({
    noun: 'operator',
    verb: 'create',
    summary: "Make a log-in for the service's own staff",
    flags: {
      email: { value: 'ADDRESS', help: 'the e-mail address', required: true },
      password,
    },
    run: async ({ email, password }) => (await operators()).createOperator({ email, password }),
  }),
  command({
    noun: 'member',
    verb: 'create',
    summary: 'Make a log-in to the admin area for a member of a merchant',
    flags: {
      merchant: { value: 'ID', help: "the merchant's id", required: true },
      role: { value: 'ROLE', help: 'what the member may do', required: true, oneOf: roles },
      email: { value: 'ADDRESS', help: 'the e-mail address', required: true },
      password,
      language: { value: 'LANGUAGE', help: 'of the emails to the member; en without it', oneOf: locales },
    },
    run: async ({ merchant, role, email, password, language = 'en' }) =>
      (await operators()).createMember({
        ...{ merchantId: merchant, role: role as Role, email, password, locale: language as Locale },
      }),
  }),
  command({
    noun: 'operator',
    verb: 'reset-second-factor',
    summary: 'Take a lost second factor away, and end all sessions of the operator',
    flags: { email: { value: 'ADDRESS', help: "the operator's address", required: true } },
    run: async ({ email }) => (await operators()).resetSecondFactor(email),
  }),
  command({
    noun: 'operator',
    verb: 'remove',
    summary: "Remove a log-in of the service's own staff, and end all its sessions",
    flags: { email: { value: 'ADDRESS', help: "the operator's address", required: true } },
    run: async ({ email }) => (await operators()).removeOperator(email),
  }),
  command({
    noun: 'audit',
    verb: 'verify',
    summary: 'Check that no entry of the audit log was changed; keep the last one elsewhere',
    flags: {},
    isBad: (answer) => (answer as { brokenAt: number | null }).brokenAt !== null,
    run: async () => (await audit()).verifyAudit(),
  }),
  command({
    noun: 'review',
    verb: 'list',
    summary: 'List the plans, products and updates that wait for an operator',
    flags: {},
    run: async () => (await catalog()).listReviews(),
  }),
  command({
    noun: 'review',
    verb: 'start',
    summary: 'Begin a review: the merchant cannot change the item until its end',
    flags: { id: review },
    run: async ({ id }) => (await catalog()).startReview(id),
  }),
  command({
    noun: 'review',
    verb: 'approve',
    summary: 'Approve a plan or product, with its update if there is one',
    flags: { id: review },
    run: async ({ id }) => (await catalog()).approveReview(id),
  }),
  command({
    noun: 'review',
    verb: 'reject',
    summary: 'Reject a plan, product or update',
    flags: { id: review, reason: { value: 'TEXT', help: 'why, for the merchant' } },
    run: async ({ id, reason }) => (await catalog()).rejectReview(id, reason ?? ''),
  }),
  command({
    noun: 'clock',
    verb: 'show',
    summary: "Show the moment on a storefront's test clock",
    flags: { storefront },
    run: async ({ storefront }) => (await testHelpers()).showClock(storefront),
  }),
  command({
    noun: 'clock',
    verb: 'advance',
    summary: "Move a storefront's test clock forward and run what falls due",
    flags: { storefront, by: { value: '25h', help: 'a duration such as 90m, 25h, 30d or P1M', required: true } },
    run: async ({ storefront, by }) => {
      const { tasks } = await import('../server/jobs.ts')
      return (await testHelpers()).advanceClock(storefront, by, tasks.embedded)
    },
  }),
  command({
    noun: 'clock',
    verb: 'stop',
    summary: "End an advance of a storefront's test clock at the moment that it has reached",
    flags: { storefront },
    run: async ({ storefront }) => {
      const { tasks } = await import('../server/jobs.ts')
      return (await testHelpers()).stopClock(storefront, tasks.embedded)
    },
  }),
  command({
    noun: 'subscription',
    verb: 'pause',
    summary: 'Stop the renewals of an active subscription',
    flags: { subscription },
    run: async ({ subscription }) => (await subscriptions()).pause(subscription),
  }),
  command({
    noun: 'subscription',
    verb: 'unpause',
    summary: 'Continue a paused subscription; a new period is charged when the paid one is over',
    flags: { subscription },
    run: async ({ subscription }) => (await subscriptions()).unpause(subscription),
  }),
  command({
    noun: 'mandate',
    verb: 'activate',
    summary: 'Let a payment method that was left pending be charged, and charge what waited (test mode)',
    flags: { subscription },
    run: async ({ subscription }) => (await mandates()).activateMandate(subscription),
  }),
  command({
    noun: 'mandate',
    verb: 'decline',
    summary: 'Let the test provider decline a payment method from now on',
    flags: {
      subscription,
      reason: { value: 'REASON', help: 'why (general_failure)', oneOf: failureReasons },
    },
    run: async ({ subscription, reason }) =>
      (await mandates()).declineMandate(subscription, (reason as FailureReason | undefined) ?? 'general_failure'),
  }),
  command({
    noun: 'mandate',
    verb: 'return',
    summary: 'Let the direct debits on a payment method be paid, and returned by the bank days later, from now on',
    flags: { subscription },
    run: async ({ subscription }) => (await mandates()).returnDebits(subscription),
  }),
  command({
    noun: 'mandate',
    verb: 'accept',
    summary: 'Let the test provider charge a payment method again, and return none of its direct debits',
    flags: { subscription },
    run: async ({ subscription }) => (await mandates()).declineMandate(subscription, null),
  }),
  command({
    noun: 'refund',
    verb: 'cancel',
    summary: 'Cancel a refund; one that was sent is canceled at the provider, if that is still possible',
    flags: { refund: { value: 'ID', help: "the refund's id", required: true } },
    run: async ({ refund }) => (await recalls()).cancelTyped(refund),
  }),
  command({
    noun: 'provider-account',
    verb: 'set',
    summary: `Take a storefront's new live payments with an account of its own at ${accountsAt}`,
    flags: {
      storefront,
      provider: { value: 'NAME', help: 'where the account is', required: true, oneOf: liveProviderNames },
      ...accountKeys,
    },
    run: async ({ storefront, provider, ...keys }) =>
      (await providerAccounts()).setAccount(storefront, { provider, ...credentialsIn(keys) }),
  }),
  command({
    noun: 'provider-account',
    verb: 'replace-key',
    summary: 'Give an account another key, which must be of the same account',
    flags: { account: { value: 'ID', help: "the account's id", required: true }, ...accountKeys },
    run: async ({ account, ...keys }) => (await providerAccounts()).replaceKey(account, credentialsIn(keys)),
  }),
  command({
    noun: 'provider-account',
    verb: 'end',
    summary: "Take a storefront's new live payments with the installation's account again",
    flags: { storefront },
    run: async ({ storefront }) => (await providerAccounts()).endAccount(storefront),
  }),
  command({
    noun: 'provider-account',
    verb: 'list',
    summary: 'List the accounts of storefronts, the newest first',
    flags: { storefront: { value: 'ID', help: 'of one storefront' } },
    run: async ({ storefront }) => (await providerAccounts()).listAccounts(storefront),
  }),
  command({
    noun: 'provider',
    verb: 'ledger',
    summary: "List the attempts to pay an order by the test provider's own books",
    flags: { order: { value: 'ID', help: "the order's id", required: true } },
    run: async ({ order }) => (await payments()).providerLedger(order),
  }),
  command({
    noun: 'invoice',
    verb: 'versions',
    summary: 'List what an invoice said of the buyer before its corrections, and what it says now',
    flags: { order: { value: 'ID', help: "the order's id", required: true } },
    run: async ({ order }) => (await invoiceUpdates()).invoiceVersions(order),
  }),
  command({
    noun: 'refund',
    verb: 'fail',
    summary: "Let the test provider's bank refuse a refund",
    flags: { refund: { value: 'ID', help: "the refund's id", required: true } },
    run: async ({ refund }) => (await refunds()).failAtBank(refund),
  }),
  command({
    noun: 'chargeback',
    verb: 'raise',
    summary: "Let the buyer's bank dispute the payment of an order (test mode)",
    flags: {
      order: { value: 'ID', help: "the order's id", required: true },
      amount: { value: 'GROSS', help: 'what is disputed, with tax, such as 12.10 (all of it)' },
      reason: { value: 'REASON', help: 'why, such as duplicate or product_not_received (fraud)' },
    },
    run: async ({ order, amount, reason = 'fraud' }) => (await chargebacks()).raise(order, { amount, reason }),
  }),
  command({
    noun: 'chargeback',
    verb: 'move',
    summary: 'Let a dispute proceed, or decide on one over more than was sold',
    flags: {
      chargeback: { value: 'ID', help: "the chargeback's id", required: true },
      to: { value: 'STATUS', help: 'what it becomes', required: true, oneOf: chargebackStates.states },
    },
    run: async ({ chargeback, to }) => (await chargebacks()).move(chargeback, to as ChargebackStatus),
  }),
  command({
    noun: 'ledger',
    verb: 'balance',
    summary: "Show what the accounts of a storefront's books come to (debit positive)",
    flags: { storefront, mode },
    run: async ({ storefront, mode }) => (await ledger()).balance(scopeOf(storefront, mode)),
  }),
  command({
    noun: 'ledger',
    verb: 'entries',
    summary: "List the entries of a storefront's books, newest first",
    flags: { storefront, mode, limit: { value: 'N', help: 'only so many (all)' } },
    run: async ({ storefront, mode, ...filter }) =>
      (await ledger()).listEntries(scopeOf(storefront, mode), filterOf({ mode: undefined, ...filter })),
  }),
  command({
    noun: 'ledger',
    verb: 'reconcile',
    summary: "Compare what a storefront's books say that the payment provider holds with the provider's own",
    flags: { storefront, mode },
    run: async ({ storefront, mode }) => (await balances()).reconcile(scopeOf(storefront, mode)),
  }),
  command({
    noun: 'ledger',
    verb: 'statement',
    summary: 'Show what a storefront sold, got back, paid and was paid in a month or quarter',
    flags: { storefront, period: month, mode, format: taxReturnFlags.format },
    run: async ({ storefront, period, mode, format }) =>
      format === 'csv'
        ? (await statements()).statementCsv(scopeOf(storefront, mode), period)
        : (await statements()).statementRows(scopeOf(storefront, mode), period),
  }),
  command({
    noun: 'reconciliation',
    verb: 'show',
    summary: 'Show what differs between the books of the providers of live payments and ours, as last compared',
    flags: {},
    run: async () => (await reconciliation()).lastDifferences(),
  }),
  command({
    noun: 'reconciliation',
    verb: 'run',
    summary: 'Compare the last ten days of live payments and the settlements with the books of the providers now',
    flags: {},
    run: async () => (await reconciliation()).reconcileNow(),
  }),
  command({
    noun: 'reconciliation',
    verb: 'settlements',
    summary: 'Show what the providers of live payments paid us in the last weeks: revenue, costs, amount',
    flags: {},
    run: async () => (await reconciliation()).lastSettlements(),
  }),
  command({
    noun: 'payout',
    verb: 'create',
    summary: 'Book money that was transferred to the merchant by hand',
    flags: payoutFlags,
    run: async ({ storefront, amount, currency, reference, mode }) =>
      (await payouts()).createPayout(scopeOf(storefront, mode), {
        amount,
        currency: currency as Currency | undefined,
        reference,
      }),
  }),
  command({
    noun: 'payout',
    verb: 'request',
    summary: 'Take money from the balance for the next bank file',
    flags: payoutFlags,
    run: async ({ storefront, amount, currency, reference, mode }) =>
      (await payouts()).requestPayout(scopeOf(storefront, mode), {
        amount,
        currency: currency as Currency | undefined,
        reference,
      }),
  }),
  command({
    noun: 'payout',
    verb: 'export',
    summary: 'Write the payouts that were requested into a bank file (SEPA, pain.001), each into one',
    flags: {
      out: { value: 'FILE', help: 'where to write it', required: true },
      batch: { value: 'ID', help: 'a file that was made before' },
      mode: { ...mode, help: 'the mode (live)' },
      storefront: { value: 'ID', help: "in test mode the storefront's id" },
    },
    async run({ out, batch, mode, storefront }) {
      const { exportedBefore, exportPayouts, writeExport } = await payoutExports()
      const scope = { testmode: mode === 'test', storefrontId: storefront ?? null }
      return writeExport(batch === undefined ? await exportPayouts(scope) : await exportedBefore(batch), out)
    },
    lastWord: async (answer) =>
      (answer as { isNew: boolean }).isNew
        ? 'Give it to the bank. `payout mark --batch ID --as paid` says that it was made; until then this file is written again.'
        : 'This file was made before. `payout mark --batch ID --as paid` lets the next one be made.',
  }),
  command({
    noun: 'payout',
    verb: 'list',
    summary: "List a storefront's payouts, newest first",
    flags: { storefront, mode, limit },
    run: async ({ storefront, mode, ...filter }) =>
      (await payouts()).listPayouts(scopeOf(storefront, mode), filterOf({ mode: undefined, ...filter })),
  }),
  command({
    noun: 'payout',
    verb: 'mark',
    summary: 'Say that the bank made a payout or all of a file, or sent one back, or that one is not to be made',
    flags: {
      payout: { value: 'ID', help: "the payout's id" },
      batch: { value: 'ID', help: "or the file's id, for all payouts in it that are not marked yet" },
      as: { value: 'STATUS', help: 'what became of it', required: true, oneOf: ['paid', 'returned', 'canceled'] },
    },
    async run({ payout, batch, as }) {
      if ((payout === undefined) === (batch === undefined)) throw invalid('payout', 'Name a payout or a file.')
      const of = payout === undefined ? { batchId: batch ?? '' } : { payoutId: payout }
      return (await payouts()).movePayoutsTyped(of, payoutMove[as as keyof typeof payoutMove])
    },
  }),
  command({
    noun: 'payout',
    verb: 'account',
    summary: 'Show where a storefront is paid, and a change of that which is on its way',
    flags: { storefront, mode },
    run: async ({ storefront, mode }) => (await payoutAccounts()).payoutAccounts(scopeOf(storefront, mode)),
  }),
  command({
    noun: 'payout',
    verb: 'set-account',
    summary: 'Change where a storefront is paid, after the cooling time; the owners are emailed',
    flags: {
      storefront,
      holder: { value: 'NAME', help: 'the account holder, as the bank has it', required: true },
      iban: { value: 'IBAN', help: 'of a SEPA country', required: true },
      bic: { value: 'BIC', help: 'where the bank wants it' },
      mode,
    },
    run: async ({ storefront, mode, ...details }) =>
      (await payoutAccounts()).changeAccountTyped(scopeOf(storefront, mode), details),
  }),
  command({
    noun: 'payout',
    verb: 'stop-account-change',
    summary: 'Stop a change of the bank details whose cooling time still runs',
    flags: { storefront, mode },
    run: async ({ storefront, mode }) => (await payoutAccounts()).stopAccountChangeTyped(scopeOf(storefront, mode)),
  }),
  command({
    noun: 'event',
    verb: 'list',
    summary: "List a storefront's newest events",
    flags: { storefront, mode, limit },
    run: async ({ storefront, ...filter }) => (await webhooks()).listEvents(storefront, filterOf(filter)),
  }),
  command({
    noun: 'delivery',
    verb: 'list',
    summary: "List a storefront's newest webhook deliveries with their attempts",
    flags: { storefront, mode, limit },
    run: async ({ storefront, ...filter }) => (await webhooks()).listDeliveries(storefront, filterOf(filter)),
  }),
  command({
    noun: 'delivery',
    verb: 'resend',
    summary: 'Deliver once more, at once',
    flags: { delivery: { value: 'ID', help: "the delivery's id", required: true } },
    run: async ({ delivery }) => (await import('../modules/webhooks/resend.ts')).resendDelivery(delivery),
  }),
  command({
    noun: 'email',
    verb: 'list',
    summary: "List a storefront's newest emails to its customers, with their text; with --json their HTML too",
    flags: { storefront, mode, limit },
    jsonOnly: ['html'],
    run: async ({ storefront, ...filter }) => (await emails()).listEmails(storefront, filterOf(filter)),
  }),
  command({
    noun: 'email',
    verb: 'kinds',
    summary: 'List which emails a storefront sends, by kind, and why some cannot be switched off',
    flags: { storefront },
    run: async ({ storefront }) => (await emails()).listKinds(storefront),
  }),
  command({
    noun: 'email',
    verb: 'enable',
    summary: 'Let a storefront send emails of a kind again',
    flags: { storefront, kind: emailKind },
    run: async ({ storefront, kind }) => (await emails()).switchKind(storefront, kind as EmailKind, true),
  }),
  command({
    noun: 'email',
    verb: 'disable',
    summary: 'Stop the emails of a kind that the law does not require',
    flags: { storefront, kind: emailKind },
    run: async ({ storefront, kind }) => (await emails()).switchKind(storefront, kind as EmailKind, false),
  }),
  command({
    noun: 'email',
    verb: 'preview',
    summary: 'Show an example of an email; with --json its HTML too',
    flags: {
      kind: emailKind,
      locale: { value: 'LANGUAGE', help: 'the language (en)', oneOf: locales },
      storefront: { value: 'ID', help: 'the storefront whose brand it has (none)' },
    },
    jsonOnly: ['html'],
    run: async ({ kind, locale = 'en', storefront }) =>
      (await emails()).previewEmail(kind as EmailKind, locale as Locale, storefront),
  }),
  command({
    noun: 'email',
    verb: 'suppressed',
    summary:
      'List the addresses that a storefront does not write to, since emails came back for good or were complained about',
    flags: { storefront, mode, limit },
    run: async ({ storefront, ...filter }) => (await emails()).listSuppressed(storefront, filterOf(filter)),
  }),
  command({
    noun: 'email',
    verb: 'lift',
    summary: 'Let a storefront write to such an address again',
    flags: { storefront, mode, address: { value: 'ADDRESS', help: 'the e-mail address', required: true } },
    run: async ({ storefront, mode, address }) => (await emails()).liftSuppression(scopeOf(storefront, mode), address),
  }),
  command({
    noun: 'email',
    verb: 'resend',
    summary: 'Send an email again, three times at most',
    flags: { email: { value: 'ID', help: "the mail's id", required: true } },
    run: async ({ email }) => (await emails()).resendEmail(email),
  }),
  command({
    noun: 'backup',
    summary: 'Write everything in the database to a file, while the service works',
    flags: { to: { value: 'FILE', help: 'a file that does not exist yet', required: true } },
    withAnyKey: true,
    run: async ({ to }) => (await backups()).writeBackup(to),
    lastWord: async () => 'Keep SECRET_KEY too, in another place: without it sealed values cannot be read.',
  }),
  command({
    noun: 'restore',
    summary: 'Put a backup back into an empty database, whole or not at all',
    flags: { from: { value: 'FILE', help: 'a file that `backup` wrote', required: true } },
    withAnyKey: true,
    jsonOnly: ['secretKey'],
    run: async ({ from }) => {
      const restored = await (await backups()).readBackup(from)
      return { ...restored, secretKey: (await (await import('../server/secret-key.ts')).secretKeyProblem()) ?? 'ok' }
    },
    lastWord: async (answer) => {
      const { secretKey } = answer as { secretKey: string }
      return secretKey === 'ok' ? '`invariants` checks what was restored.' : secretKey
    },
  }),
  command({
    noun: 'secret-key',
    verb: 'accept',
    summary: 'If the former SECRET_KEY is lost: take the present one as that of this database',
    flags: {},
    withAnyKey: true,
    run: async () => (await import('../server/secret-key.ts')).acceptSecretKey(),
    lastWord: async (answer) =>
      (answer as { accepted: boolean }).accepted
        ? 'What was sealed with the former key cannot be read any more. Give webhook endpoints a new secret, connect payment accounts ' +
          'again, and have merchants give their bank details again: until then nothing is paid out. No code of a second factor is ' +
          'right: recovery codes are, and `operator reset-second-factor` lets an operator set up another. Emails that were not sent ' +
          'yet are not sent, and those that were cannot be read or sent again. `storefront export` takes all of that along as it is, and ' +
          'says how much it is.'
        : 'SECRET_KEY is that of this database: nothing was changed.',
  }),
  command({
    noun: 'doctor',
    summary: 'Say what is missing for live sales, a line for each check; exit 1 when something is',
    flags: {},
    withAnyKey: true,
    run: async () => (await installation()).doctor(),
    isBad: (checks) => (checks as readonly Diagnosis[]).some(({ state }) => state === 'missing'),
    lastWord: async (checks) => {
      const missing = (checks as readonly Diagnosis[]).filter(({ state }) => state === 'missing').length
      return missing === 0 ? 'Nothing is missing for live sales.' : `Missing for live sales: ${missing}.`
    },
  }),
  command({
    noun: 'invariants',
    summary: 'Check everything that must hold at every moment, and name what does not; exit 1 when something is broken',
    flags: {},
    withAnyKey: true,
    run: async () => (await invariants()).check(),
    isBad: (findings) => (findings as readonly Finding[]).some(({ status }) => status === 'broken'),
    lastWord: async (findings) =>
      (await import('../modules/invariants/rules/verdict.ts')).verdict(findings as readonly Finding[]),
  }),
]

const scopeOf = (storefrontId: string, mode: string | undefined) => ({ storefrontId, testmode: mode !== 'live' })

function filterOf({ mode, limit }: { mode: string | undefined; limit: string | undefined }) {
  const most = limit === undefined ? undefined : Number(limit)
  if (most !== undefined && !(Number.isInteger(most) && most >= 1 && most <= 1000))
    throw invalid('limit', 'Must be from 1 to 1000.')
  return { ...(mode && { testmode: mode === 'test' }), ...(most && { limit: most }) }
}

function milliseconds(flag: string, duration: string, least = 0): number {
  const now = new Date()
  const parsed = parseTypedDuration(duration)
  const lasts = (parsed && addDuration(now, parsed)?.getTime()) ?? Number.NaN
  if (!(lasts - now.getTime() >= least)) throw invalid(flag, 'Must be a duration such as 12h, 30d or P1M.')
  return lasts - now.getTime()
}
