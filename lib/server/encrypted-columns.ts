type EncryptedColumn = { readonly table: string; readonly column: string } & (
  | {
      /** Names the values in the output of `doctor`, which checks whether they can be decrypted. */ readonly words: string
    }
  | { /** Why `doctor` does not check the column. */ readonly unchecked: string }
)

/** All columns with values that SECRET_KEY encrypts. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'operators', column: 'totp_secret', words: 'second factors' },
  { table: 'webhook_endpoints', column: 'sealed_secret', words: 'secrets of webhook endpoints' },
  { table: 'provider_accounts', column: 'sealed', words: 'keys of provider accounts' },
  { table: 'payout_accounts', column: 'sealed', words: 'bank accounts' },
  { table: 'payout_batches', column: 'sealed', words: 'payout files' },
  { table: 'order_withdrawals', column: 'sealed', words: 'declarations of withdrawal' },
  { table: 'email_suppressions', column: 'sealed', words: 'suppressed addresses' },
  { table: 'key_proofs', column: 'sealed', unchecked: '`secretKeyProblem` checks the key proof' },
  {
    table: 'operator_sessions',
    column: 'totp_secret',
    unchecked: 'removed when the person confirms the second factor',
  },
  { table: 'webhook_endpoints', column: 'previous_secret', unchecked: 'removed when the secret stops signing' },
  { table: 'email_changes', column: 'sealed', unchecked: 'removed 30 days after the link expires' },
  { table: 'chargeback_evidence', column: 'sealed', unchecked: 'removed after the evidence is sent' },
  { table: 'idempotency_keys', column: 'body', unchecked: 'removed after a day' },
  { table: 'emails', column: 'sealed', unchecked: 'too many rows to read, and removed after EMAIL_RETENTION_DAYS' },
]
