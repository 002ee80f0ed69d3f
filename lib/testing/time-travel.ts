import { closeDatabase, db } from '../platform/db/db.ts'

/**
 * This file moves real time for tests of live mode, which has no test clock. The time of this process and of its
 * database move by the same span, and time continues to pass in both. Timers (`setTimeout`) do not move.
 */

const RealDate = Date
let aheadMs = 0

class MovedDate extends RealDate {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof RealDate
  }
  static override now(): number {
    return RealDate.now() + aheadMs
  }
  constructor(...given: [] | ConstructorParameters<typeof RealDate>) {
    super(...((given.length === 0 ? [MovedDate.now()] : given) as [number]))
  }
}

/** Moves the current time to this moment (RFC 3339), until the test file ends. */
export async function travelTo(moment: string): Promise<void> {
  const isFirst = globalThis.Date === RealDate
  aheadMs = RealDate.parse(moment) - RealDate.now()
  if (isFirst) await shadowClock()
  globalThis.Date = MovedDate as DateConstructor
  await db().$executeRaw`UPDATE ahead.clock SET ms = ${aheadMs}`
}

export function travelBack(): void {
  globalThis.Date = RealDate
}

/** On every new connection, PostgreSQL finds `ahead.clock_timestamp` before its own `clock_timestamp`. */
async function shadowClock(): Promise<void> {
  for (const statement of [
    'CREATE SCHEMA ahead',
    'CREATE TABLE ahead.clock AS SELECT 0::float8 AS ms',
    `CREATE FUNCTION ahead.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql AS
      'SELECT pg_catalog.clock_timestamp() + ms * interval ''1 millisecond'' FROM ahead.clock'`,
    `DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET search_path = ahead, public, pg_catalog', current_database());
    END $$`,
  ])
    await db().$executeRawUnsafe(statement)
  await closeDatabase()
}
