import type { Sql } from '../../platform/db/db.ts'
import type { Failures } from './rules/attempts.ts'

/** The `source` of the row that counts attempts on an account from all addresses. Other rows name one IP address, browser, or session. */
export const everywhere = ''

interface Counted {
  readonly subject: string
  readonly source: string
}

/** Locks the row until the commit, so that concurrent attempts run one after another. */
export async function lockFailures(sql: Sql, { subject, source }: Counted, now: Date): Promise<Failures> {
  const [row] = await sql.$queryRaw<{ count: number; since: Date; locked_until: Date | null }[]>`
    INSERT INTO sign_in_failures (subject, source, count, since) VALUES (${subject}, ${source}, 0, ${now})
    ON CONFLICT (subject, source) DO UPDATE SET subject = EXCLUDED.subject
    RETURNING count, since, locked_until`
  if (!row) throw new Error('a row that was inserted or updated is returned')
  return { count: row.count, since: row.since, lockedUntil: row.locked_until }
}

export async function saveFailures(sql: Sql, { subject, source }: Counted, failures: Failures): Promise<void> {
  const { count, since, lockedUntil } = failures
  const where = { subject_source: { subject, source } }
  await sql.sign_in_failures.update({
    where,
    data: { count, since, locked_until: lockedUntil },
    select: { count: true },
  })
}

export async function deleteFailures(sql: Sql, counted: Pick<Counted, 'subject'> & Partial<Counted>): Promise<void> {
  await sql.sign_in_failures.deleteMany({ where: counted })
}

/** Deletes failures that are more than two days old, because a failure counts for at most one day. */
export async function deleteOldFailures(sql: Sql): Promise<void> {
  await sql.$executeRaw`DELETE FROM sign_in_failures WHERE since < clock_timestamp() - interval '2 days'`
}
