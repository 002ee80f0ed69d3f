import { z } from 'zod'
import { isPostgresAddress, whole } from './config-values.ts'

const rule = 'must be a PostgreSQL address, such as postgresql://user:password@host:5432/name'

export const databaseVariables = {
  DATABASE_URL: z
    .string({ error: 'is not set. `npm start` and the command line set it when they run the embedded PostgreSQL' })
    .refine(isPostgresAddress, rule)
    .describe(
      'PostgreSQL 14 or newer with the encoding UTF8. The user must own the tables. In development, ' +
        '`npm start` runs an embedded PostgreSQL in `.data/` if this variable is not set.',
    ),
  DATABASE_DIRECT_URL: z
    .string()
    .refine(isPostgresAddress, rule)
    .optional()
    .describe(
      'The address of PostgreSQL for migrations and backups. Required if `DATABASE_URL` is the address of a PgBouncer in transaction mode.',
    ),
  DATABASE_REPLICA_URL: z
    .string()
    .refine(isPostgresAddress, rule)
    .optional()
    .describe(
      'A replica of the database, from which lists and exports of the admin area are read. Their data can then be a few seconds old. While the replica is unavailable, the main database is used.',
    ),
  DATABASE_POOL: whole('must be a number of connections from 1 to 1000', 1, 1000)
    .default(10)
    .describe(
      'Database connections of each process. A process that runs tasks uses one more connection. If `DATABASE_REPLICA_URL` is set, each process has the same number of connections to the replica.',
    ),
  DATABASE_CONNECT_TIMEOUT: whole('must be a number of seconds from 1 to 600', 1, 600)
    .default(5)
    .describe('Seconds that a request waits for a connection. After that the response is 503 with `Retry-After`.'),
}

type Variables = z.output<z.ZodObject<typeof databaseVariables>>

export const databaseOf = (variables: Variables) => ({
  databaseUrl: variables.DATABASE_URL,
  /** The address of the database itself, for use if `databaseUrl` is the address of a pooler; otherwise null. */
  databaseDirectUrl: variables.DATABASE_DIRECT_URL ?? null,
  databaseReplicaUrl: variables.DATABASE_REPLICA_URL ?? null,
  databasePool: variables.DATABASE_POOL,
  databaseConnectMs: variables.DATABASE_CONNECT_TIMEOUT * 1_000,
})
