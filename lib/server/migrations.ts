import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { db, type Sql } from '../platform/db/db.ts'
import { lacksTables } from '../platform/db/unavailable.ts'

/** Migrations of this version that the database lacks, oldest first. */
export async function missingMigrations(sql: Sql = db()): Promise<string[]> {
  const [applied, known] = await Promise.all([appliedMigrations(sql), knownMigrations()])
  return known.filter((name) => !applied.includes(name))
}

async function appliedMigrations(sql: Sql): Promise<string[]> {
  try {
    const rows = await sql.$queryRaw<
      { migration_name: string }[]
    >`SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL`
    return rows.map((row) => row.migration_name)
  } catch (error) {
    if (lacksTables(error)) return []
    throw error
  }
}

async function knownMigrations(): Promise<string[]> {
  const entries = await readdir(path.join(process.cwd(), 'prisma/migrations'), { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}
