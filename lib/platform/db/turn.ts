import { db } from './db.ts'

/**
 * Whether this process may do work that only one process does per interval. The interval of `ms` follows the clock of
 * the database. The first process that asks after its end gets the next one. A turn is stored as a rate limit of one.
 * Its plain name cannot collide with the hashed keys of other limits.
 */
export async function takeTurn(name: string, ms: number): Promise<boolean> {
  const taken = await db().$queryRaw<object[]>`
    INSERT INTO rate_limits (key, arrival)
    VALUES (${`turn ${name}`}, statement_timestamp() + ${ms}::float8 * interval '1 millisecond')
    ON CONFLICT (key) DO UPDATE SET arrival = excluded.arrival WHERE rate_limits.arrival <= statement_timestamp()
    RETURNING key`
  return taken.length > 0
}

/** Leaves a mark that every process sees for about a minute. Marks are stored like turns. */
export async function leaveMark(name: string): Promise<void> {
  await db().$executeRaw`
    INSERT INTO rate_limits (key, arrival) VALUES (${`mark ${name}`}, statement_timestamp()) ON CONFLICT (key) DO NOTHING`
}

export const hasMark = async (name: string): Promise<boolean> =>
  (await db().rate_limits.count({ where: { key: `mark ${name}` } })) > 0
