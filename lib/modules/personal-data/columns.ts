/**
 * The kind of personal data in each text column. Ids (`id`, `…_id`, `…_ref`) and columns with a CHECK on a list of values are omitted.
 * `scripts/personal-data.test.ts` compares the table with the schema.
 */

export type Holds =
  /** The column has amounts, times, hashes, codes, or texts that the service wrote. */
  | 'nothing'
  /** The column has texts of a merchant, who must not write personal data into them. */
  | 'merchant'
  /** The column has data about operators or members of a merchant. */
  | 'staff'
  /** The column has data about a customer that an erasure removes. */
  | 'erased'
  /** The column has data about a customer on documents. It is removed when the retention period of the documents ends. */
  | 'document'
  /** The column has data about a customer in rows that are deleted within 30 days, even without an erasure. */
  | 'brief'

const nothing = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, 'nothing' as const]))
const merchant = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, 'merchant' as const]))

export const columns: Readonly<Record<string, Readonly<Record<string, Holds>>>> = {
  merchants: merchant('name'),
  staff_form_keys: { key: 'staff', ...nothing('subject') },
  operators: { email: 'staff', ...nothing('password_hash', 'totp_secret', 'locale') },
  member_invitations: { email: 'staff', invited_by: 'staff', ...nothing('locale', 'token_hash') },
  former_owners: { email: 'staff', ...nothing('locale') },
  password_resets: nothing('token_hash'),
  operator_recovery_codes: nothing('hash'),
  operator_passkeys: { name: 'staff', ...nothing('public_key') },
  used_passkey_challenges: nothing('hash'),
  operator_sessions: { address: 'staff', browser: 'staff', ...nothing('secret_hash', 'totp_secret') },
  operator_devices: nothing('hash'),
  sign_in_failures: { source: 'staff', ...nothing('subject') },
  audit_entries: { address: 'staff', ...nothing('action', 'subject', 'before', 'after', 'hash') },
  audit_heads: nothing('mac'),
  service_problems: nothing('problem', 'service'),
  storefronts: { ...merchant('name', 'suspended_reason'), ...nothing('portal_plan_ids') },
  brands: merchant('display_name', 'accent', 'support_email', 'support_url', 'terms_url', 'privacy_url'),
  brand_logos: nothing('hash', 'bytes'),
  api_keys: { ...merchant('name'), ...nothing('hash', 'hint') },
  clocks: nothing('moved_by'),
  idempotency_keys: { body: 'erased', key: 'brief', ...nothing('method', 'route', 'fingerprint', 'claim') },
  rate_limits: nothing('key'),
  key_proofs: nothing('sealed'),
  tasks: { key: 'erased', data: 'erased', ...nothing('name', 'last_error', 'stream', 'trace') },
  events: { body: 'erased', ...nothing('name', 'entity_type', 'caused_by') },
  horizons: nothing('walked_to'),
  webhook_endpoints: {
    ...merchant('url', 'claimed_url'),
    ...nothing('sealed_secret', 'previous_secret', 'enabled_events'),
  },
  delivery_attempts: { answer: 'erased', ...nothing('error', 'signature') },
  products: merchant('name', 'description', 'pending', 'rejection_reason'),
  customers: { email: 'erased', name: 'erased', metadata: 'erased', locale: 'erased', time_zone: 'erased' },
  customer_notes: { text: 'erased', author_email: 'staff' },
  portal_sessions: { return_url: 'erased', ...nothing('secret_hash') },
  email_changes: { sealed: 'erased', address_hash: 'erased' },
  change_previews: nothing('request', 'amounts'),
  cancellation_feedback: { comment: 'erased' },
  checkouts: {
    billing_address: 'erased',
    draft: 'erased',
    ...merchant('redirect_url_success', 'redirect_url_canceled', 'metadata'),
    ...nothing('locale', 'form_key'),
  },
  checkout_lines: merchant('name', 'description', 'metadata'),
  payment_links: { ...merchant('name', 'redirect_url_success', 'metadata'), ...nothing('locale') },
  payment_link_items: merchant('metadata'),
  orders: {
    customer_details: 'document',
    ...merchant('metadata'),
    ...nothing('currency', 'exchange_rate', 'exchange_rate_source', 'vat_stated_in', 'tax_summary', 'seller', 'locale'),
    ...nothing('invoice_number', 'invoice_scope'),
  },
  order_withdrawals: { sealed: 'document', ...nothing('checkout_line_ids') },
  order_lines: {
    ...merchant('description', 'invoice_description', 'metadata'),
    ...nothing('base_price', 'taxes', 'product_type', 'terms_change'),
  },
  payments: nothing('currency', 'provider', 'transfer'),
  charged_changes: merchant('before', 'after'),
  exchange_rates: nothing('currency', 'rate'),
  stripe_payments: nothing('spent_keys'),
  provider_accounts: nothing('sealed'),
  unknown_payments: nothing('provider', 'currency', 'used_by'),
  reconciliations: nothing('provider', 'settlements', 'differences'),
  sandbox_payments: nothing('idempotency_key', 'currency', 'locale', 'return_url', 'failure_reason'),
  sandbox_refunds: nothing('idempotency_key', 'currency'),
  sandbox_refusals: nothing('idempotency_key'),
  sandbox_chargebacks: nothing('currency', 'reason'),
  sandbox_declines: nothing('failure_reason'),
  sandbox_returns: nothing('code'),
  mandates: { masked_identifier: 'erased', ...nothing('provider', 'reference') },
  subscriptions: {
    billing_address: 'erased',
    ...merchant('name', 'description', 'scheduled_update', 'metadata'),
    ...nothing('currency', 'resumes_to', 'parked', 'locale'),
  },
  billing_update_links: {
    billing_address: 'erased',
    draft: 'erased',
    ...merchant('redirect_url_success', 'redirect_url_canceled'),
  },
  refunds: { ...merchant('metadata'), ...nothing('currency', 'tax_summary') },
  chargeback_evidence: { sealed: 'brief' },
  chargebacks: nothing('reason', 'currency', 'tax_summary'),
  reversal_lines: { ...merchant('description', 'invoice_description'), ...nothing('base_price', 'taxes') },
  emails: { sealed: 'erased', ...nothing('locale') },
  email_suppressions: { sealed: 'erased', ...nothing('address_hash') },
  tax_registrations: nothing('country', 'region', 'number'),
  tax_id_checks: {
    tax_id: 'document',
    name: 'document',
    address: 'document',
    ...nothing('consultation_number', 'error'),
  },
  sale_evidence: {
    postal_code: 'document',
    tax_id: 'document',
    ...nothing('declared_country', 'ip_country', 'payment_country'),
  },
  invoice_series: nothing('scope', 'name'),
  invoice_versions: { customer_details: 'document' },
  invoice_update_links: { draft: 'erased' },
  recurring_amounts: nothing('currency'),
  daily_figures: nothing('currency', 'plans', 'countries', 'cancellations'),
  ledger_entries: nothing('cause', 'currency'),
  ledger_accounts: nothing('currency', 'account'),
  invariant_checks: nothing('day', 'broken'),
  payout_accounts: merchant('sealed'),
  payouts: { ...merchant('reference'), ...nothing('currency') },
  payout_batches: { ...merchant('sealed'), ...nothing('currency') },
}

export const personal: readonly { readonly table: string; readonly column: string; readonly holds: Holds }[] =
  Object.entries(columns).flatMap(([table, held]) =>
    Object.entries(held)
      .filter(([, holds]) => holds === 'erased' || holds === 'document' || holds === 'brief')
      .map(([column, holds]) => ({ table, column, holds })),
  )
