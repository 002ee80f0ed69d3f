// @ts-check

/** Behind a pooler, the service's limits are defaults of its database user (`lib/platform/db/sessions.ts`). */
export const unlimited = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'

/** The `application_name` of connections on which migrations run. */
export const migrationName = 'billhook migration'
