import { db } from './db.ts'

/**
 * Whether it is this process's turn to do what only one of all processes does, every so often. A turn that is taken holds for
 * `ms`, on the clock of the database: whichever process asks first after it has the next one. It is a rate limit of one, and is
 * kept with the others, whose keys are hashes and differ from every name.
 */
export async function takeTurn(name: string, ms: number): Promise<boolean> {
  const taken = await db().$queryRaw<object[]>`
    INSERT INTO rate_limits (key, arrival)
    VALUES (${`turn ${name}`}, statement_timestamp() + ${ms}::float8 * interval '1 millisecond')
    ON CONFLICT (key) DO UPDATE SET arrival = excluded.arrival WHERE rate_limits.arrival <= statement_timestamp()
    RETURNING key`
  return taken.length > 0
}

/** Leaves a mark that every process sees for about a minute. It is kept with the turns. */
export async function leaveMark(name: string): Promise<void> {
  await db().$executeRaw`
    INSERT INTO rate_limits (key, arrival) VALUES (${`mark ${name}`}, statement_timestamp()) ON CONFLICT (key) DO NOTHING`
}

export const hasMark = async (name: string): Promise<boolean> =>
  (await db().rate_limits.count({ where: { key: `mark ${name}` } })) > 0
