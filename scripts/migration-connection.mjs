// @ts-check

/**
 * Options of a connection that may take its time. Behind a pooler the limits of the service are defaults of its user in this
 * database (`lib/platform/db/sessions.ts`), which hold past the pooler too.
 */
export const unlimited = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'

/** What PostgreSQL calls the connections on which migrations run. */
export const migrationName = 'billhook migration'
