import { z } from 'zod'
import { isPostgresAddress, whole } from './config-values.ts'

const rule = 'must be a PostgreSQL address, such as postgresql://user:password@host:5432/name'

export const databaseVariables = {
  DATABASE_URL: z
    .string({ error: 'is not set: `npm start` and the command line set it when they run the embedded PostgreSQL' })
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
      'PostgreSQL itself, if `DATABASE_URL` leads to a PgBouncer in transaction mode. Migrations and ' +
        'backups use this address.',
    ),
  DATABASE_REPLICA_URL: z
    .string()
    .refine(isPostgresAddress, rule)
    .optional()
    .describe(
      'A replica for the lists and exports of the admin area, which may then be a moment old. While ' +
        'the replica is away, the database answers instead.',
    ),
  DATABASE_POOL: whole('must be a number of connections from 1 to 1000', 1, 1000)
    .default(10)
    .describe(
      'Connections of each process. A process that runs tasks uses one more. A replica gets the same ' + 'number.',
    ),
  DATABASE_CONNECT_TIMEOUT: whole('must be a number of seconds from 1 to 600', 1, 600)
    .default(5)
    .describe('Seconds that a request waits for a connection. After that the response is 503 with `Retry-After`.'),
}

type Variables = z.output<z.ZodObject<typeof databaseVariables>>

export const databaseOf = (variables: Variables) => ({
  databaseUrl: variables.DATABASE_URL,
  /** The address of the database behind the pooler in `databaseUrl`; null without a pooler. */
  databaseDirectUrl: variables.DATABASE_DIRECT_URL ?? null,
  /** A read replica for lists of the admin area; null without one. */
  databaseReplicaUrl: variables.DATABASE_REPLICA_URL ?? null,
  databasePool: variables.DATABASE_POOL,
  databaseConnectMs: variables.DATABASE_CONNECT_TIMEOUT * 1_000,
})
