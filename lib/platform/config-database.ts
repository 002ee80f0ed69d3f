import { z } from 'zod'
import { isPostgresAddress, whole } from './config-values.ts'

/** Where the database is, and how many connections there are. */

const rule = 'must be a PostgreSQL address, such as postgresql://user:password@host:5432/name'

export const databaseVariables = {
  DATABASE_URL: z
    .string({ error: 'is not set: `npm start` and the command line set it when they run the embedded PostgreSQL' })
    .refine(isPostgresAddress, rule),
  DATABASE_DIRECT_URL: z.string().refine(isPostgresAddress, rule).optional(),
  DATABASE_REPLICA_URL: z.string().refine(isPostgresAddress, rule).optional(),
  DATABASE_POOL: whole('must be a number of connections from 1 to 1000', 1, 1000).default(10),
  DATABASE_CONNECT_TIMEOUT: whole('must be a number of seconds from 1 to 600', 1, 600).default(5),
}

type Variables = z.output<z.ZodObject<typeof databaseVariables>>

export const databaseOf = (variables: Variables) => ({
  databaseUrl: variables.DATABASE_URL,
  /** Leads past the pooler to which `databaseUrl` leads; null: there is none. */
  databaseDirectUrl: variables.DATABASE_DIRECT_URL ?? null,
  /** A copy that follows the database, for lists of the admin area; null: there is none. */
  databaseReplicaUrl: variables.DATABASE_REPLICA_URL ?? null,
  /** Connections of one process. */
  databasePool: variables.DATABASE_POOL,
  /** How long what needs a connection waits for one, free or new. */
  databaseConnectMs: variables.DATABASE_CONNECT_TIMEOUT * 1_000,
})
