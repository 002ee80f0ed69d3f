import { readFileSync } from 'node:fs'
import pg from 'pg'

/** A database with only some migrations, for tests that run a later migration on existing rows. */
export interface OldDatabase {
  readonly client: pg.Client
  migrate(name: string): Promise<void>
  drop(): Promise<void>
}

export async function oldDatabase(name: string, ...migrations: string[]): Promise<OldDatabase> {
  const server = new URL(process.env.TEST_DATABASE_URL ?? '')
  const database = `${name}_${process.pid}`
  const onServer = async (statement: string) => {
    const admin = new pg.Client({ connectionString: server.href })
    await admin.connect()
    await admin.query(statement)
    await admin.end()
  }
  await onServer(`CREATE DATABASE ${database}`)
  const client = new pg.Client({ connectionString: Object.assign(new URL(server), { pathname: `/${database}` }).href })
  await client.connect()
  const migrate = async (migration: string) => {
    await client.query(readFileSync(`prisma/migrations/${migration}/migration.sql`, 'utf8'))
  }
  for (const migration of migrations) await migrate(migration)
  return {
    client,
    migrate,
    async drop() {
      await client.end()
      await onServer(`DROP DATABASE ${database} WITH (FORCE)`)
    },
  }
}
