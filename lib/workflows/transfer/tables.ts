import * as chargebackEvidence from '../../modules/chargebacks/evidence-store.ts'
import * as emails from '../../modules/emails/store.ts'
import * as suppressions from '../../modules/emails/suppressions.ts'
import * as withdrawals from '../../modules/orders/withdrawals.ts'
import * as payoutAccounts from '../../modules/payouts/account-store.ts'
import * as payoutBatches from '../../modules/payouts/export-store.ts'
import * as emailChanges from '../../modules/portal/email-changes.ts'
import { emailPortalLink } from '../../modules/portal/tasks.ts'
import * as providerAccounts from '../../modules/provider-accounts/store.ts'
import * as webhooks from '../../modules/webhooks/secrets.ts'
import type { Sql } from '../../platform/db/db.ts'
import * as idempotency from '../../platform/http/idempotency.ts'
import { askedPaymentTables } from '../../providers/index.ts'
import { checkHorizon } from './horizon.ts'

export type Row = Readonly<Record<string, string | null>>

export interface Sealed {
  readonly column: string
  readonly encoding: 'hex' | 'base64'
  at(row: Row): string
  /**
   * `column` is the column with the search hash of the value. `by` returns the text to hash. If that text was erased, `by` returns null and the hash
   * stays unchanged.
   */
  readonly found?: {
    readonly column: string
    by(plain: string): string | null
    /** Called before the hash of the row `id` is replaced, for a table in which the hash is unique. Must not wait for locks of other transactions. */
    beforeHash?(sql: Sql, id: string, hash: Uint8Array<ArrayBuffer>): Promise<void>
  }
}

export interface Exported {
  /** The SQL condition that a row `t` is part of the storefront `$1`. */
  readonly rows: string
  readonly as?: Readonly<Record<string, string>>
  readonly sealed?: readonly Sealed[]
  /** Byte columns without secrets, such as pictures or hashes of random values. */
  readonly plainBytes?: readonly string[]
  /** Refuses an imported row that would change data of other storefronts. */
  check?(row: Row): void
  /** The SQL `ON CONFLICT` clause for a row that already exists. Without this field, such a row is refused. */
  readonly onConflict?: string
}

const own = 't.storefront_id = $1'
const ofParent = (column: string, parent: string) =>
  `EXISTS (SELECT 1 FROM ${parent} p WHERE p.id = t.${column} AND p.storefront_id = $1)`
const inHex = (at: (id: string) => string, column = 'sealed'): Sealed => ({
  column,
  encoding: 'hex',
  at: (row) => at(row.id ?? ''),
})
const nothing = "''::bytea"
const [ownBatch, theirPayouts] = [
  't.storefront_id IS NOT NULL',
  'SELECT p.amount FROM payouts p WHERE p.batch_id = t.id AND p.storefront_id = $1',
]

/** The tables are in the order of their import. A row refers only to its own table or to earlier tables. */
export const exported: Readonly<Record<string, Exported>> = {
  merchants: {
    rows: 't.id = (SELECT merchant_id FROM storefronts WHERE id = $1)',
    onConflict: 'DO NOTHING', // The merchant may exist here because of other storefronts.
  },
  storefronts: { rows: 't.id = $1' },
  brands: { rows: own },
  brand_logos: { rows: own, plainBytes: ['bytes'] },
  api_keys: { rows: own, plainBytes: ['hash'] },
  clocks: { rows: own },
  disabled_email_kinds: { rows: own },
  products: { rows: own },
  plan_uses: { rows: ofParent('plan_id', 'products') },
  customers: { rows: own },
  customer_notes: { rows: own },
  email_changes: {
    rows: own,
    sealed: [
      {
        ...inHex(emailChanges.sealedAt),
        found: { column: 'address_hash', by: (plain) => JSON.parse(plain).to },
      },
    ],
  },
  provider_accounts: { rows: own, sealed: [inHex(providerAccounts.sealedAt)] },
  payout_accounts: { rows: own, sealed: [inHex(payoutAccounts.sealedAt)] },
  payout_batches: {
    // A live bank file also has payouts of other storefronts. These payouts and the file itself stay at the origin.
    rows: `(${own} OR EXISTS (${theirPayouts}))`,
    as: {
      count: `CASE WHEN ${ownBatch} THEN t.count ELSE (SELECT count(*) FROM (${theirPayouts}) own)::int END`,
      total: `CASE WHEN ${ownBatch} THEN t.total ELSE (SELECT sum(amount) FROM (${theirPayouts}) own)::bigint END`,
      sealed: `CASE WHEN ${ownBatch} THEN t.sealed ELSE ${nothing} END`,
    },
    sealed: [inHex(payoutBatches.sealedAt)],
    // A bank file can have payouts of several imported storefronts. Each import adds the count and total of its payouts.
    onConflict: `(id) DO UPDATE SET count = target.count + EXCLUDED.count, total = target.total + EXCLUDED.total
      WHERE target.storefront_id IS NULL AND target.sealed = ''`,
  },
  payouts: { rows: own },
  payout_schedules: { rows: own },
  payment_links: { rows: own },
  payment_link_items: { rows: ofParent('payment_link_id', 'payment_links') },
  checkouts: { rows: own },
  checkout_lines: { rows: ofParent('checkout_id', 'checkouts') },
  mandates: { rows: own },
  subscriptions: { rows: own },
  change_previews: { rows: own },
  cancellation_feedback: { rows: own },
  recurring_amounts: { rows: own },
  daily_figures: { rows: own },
  closed_figures: { rows: own },
  billing_update_links: { rows: own },
  orders: { rows: own },
  order_lines: { rows: ofParent('order_id', 'orders') },
  order_withdrawals: {
    rows: own,
    sealed: [{ column: 'sealed', encoding: 'hex', at: (row) => withdrawals.sealedAt(row.order_id ?? '') }],
  },
  payments: { rows: own },
  ...Object.fromEntries(askedPaymentTables.map((table) => [table, { rows: ofParent('payment_id', 'payments') }])),
  unknown_payments: { rows: own },
  subscription_periods: { rows: own },
  refunds: { rows: own },
  chargebacks: { rows: own },
  chargeback_evidence: { rows: own, sealed: [inHex(chargebackEvidence.sealedAt)] },
  reversal_lines: { rows: own },
  recoveries: { rows: own },
  charged_changes: { rows: own },
  fast_forwards: { rows: own },
  simulations: { rows: own },
  tax_id_checks: { rows: own },
  sale_evidence: { rows: own },
  invoice_versions: { rows: own },
  invoice_update_links: { rows: own },
  sandbox_payments: { rows: own },
  sandbox_refunds: { rows: own },
  sandbox_refusals: { rows: own },
  sandbox_chargebacks: { rows: own },
  sandbox_declines: { rows: own },
  sandbox_returns: { rows: own },
  // A retention horizon is the time up to which old rows were removed. The horizons are imported, so that rows that the
  // origin removed are not reported as missing.
  horizons: {
    rows: '$1::text IS NOT NULL',
    as: { walked_to: "''" },
    check: checkHorizon,
    onConflict:
      '(kind) DO UPDATE SET before = greatest(target.before, EXCLUDED.before), before_id = greatest(target.before_id, EXCLUDED.before_id)',
  },
  events: { rows: own },
  webhook_endpoints: {
    rows: own,
    sealed: [inHex(webhooks.sealedAt, 'sealed_secret'), inHex(webhooks.previousSealedAt, 'previous_secret')],
  },
  deliveries: { rows: own },
  delivery_attempts: { rows: ofParent('delivery_id', 'deliveries') },
  endpoint_hours: { rows: own },
  emails: { rows: own, sealed: [inHex(emails.sealedAt)] },
  email_suppressions: {
    rows: own,
    sealed: [
      {
        ...inHex(suppressions.sealedAt),
        found: {
          column: 'address_hash',
          by: (plain) => JSON.parse(plain).address,
          beforeHash: suppressions.dropOlderTwinAtOnce,
        },
      },
    ],
  },
  // Live invoice series belong to the seller, so this table exports only the series of the storefront. The last numbers
  // of the live series are in the `end` line of the file.
  invoice_series: { rows: 't.scope = $1' },
  ledger_entries: { rows: own },
  ledger_accounts: { rows: own },
  // A request that is repeated after the move must get its stored response, so the idempotency keys are exported.
  idempotency_keys: {
    rows: own,
    plainBytes: ['fingerprint'],
    sealed: [
      {
        column: 'body',
        encoding: 'base64',
        at: ({ storefront_id: storefrontId, testmode, method, route, key }) =>
          idempotency.sealedAt({
            tenant: { storefrontId: storefrontId ?? '', testmode: testmode === 't' },
            method: method ?? '',
            route: route ?? '',
            key: key ?? '',
          }),
      },
    ],
  },
  tasks: {
    // Only the old installation can decrypt the address in the task of a sign-in link, so the task is not exported. The person must request a new link.
    rows: `${own} AND t.name <> '${emailPortalLink.name}'`,
    as: { leased_until: 'NULL', handed_over_at: 'NULL', claim_version: 't.claim_version + 1' },
  },
}

export const kept: Readonly<Record<string, string>> = {
  operators: 'people log in where they are known: members are invited again',
  operator_recovery_codes: 'credentials',
  operator_passkeys: 'credentials, of the domain',
  operator_sessions: 'credentials',
  operator_devices: 'credentials',
  sign_in_failures: 'of a moment',
  used_passkey_challenges: 'of a moment',
  password_resets: 'links that open doors here',
  former_owners: 'they are emailed where they were owners',
  member_invitations: 'links that open doors here',
  portal_sessions: 'links and sessions of the old address: a customer asks for another link',
  staff_form_keys: 'of a moment',
  rate_limits: 'of a moment',
  service_problems: 'of a moment',
  key_proofs: 'of the secret key of the installation',
  audit_entries: 'each entry has the hash of the one before: those about the storefront are in the file, to be read',
  audit_heads: 'of the audit log of the installation',
  exchange_rates: 'what the European Central Bank publishes: an order has its own rate',
  tax_registrations: "the seller's",
  reconciliations: "of a provider's account and a day: compared again",
  invariant_checks: 'of the installation',
}

const audited = [
  ...['api_keys', 'products', 'customers', 'orders', 'subscriptions', 'refunds', 'chargebacks', 'payouts'],
  ...[
    'payout_accounts',
    'provider_accounts',
    'payment_links',
    'webhook_endpoints',
    'deliveries',
    'emails',
    'payout_batches',
  ],
]

/** The SQL condition that the audit entry `t` is about the storefront `$1`. */
export const auditRows = `t.subject = $1 OR t.subject IN (${audited
  .map((table) => `SELECT id FROM ${table} WHERE storefront_id = $1`)
  .join(' UNION ALL ')})`
