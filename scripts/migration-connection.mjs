// @ts-check

/** Behind a pooler, the timeouts of the service are defaults of the database user. Migrations turn these timeouts off. */
export const unlimited = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'

export const migrationName = 'billhook migration'
