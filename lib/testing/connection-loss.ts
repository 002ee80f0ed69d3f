import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { db } from '../platform/db/db.ts'

/** This file cuts a connection in the middle of a transaction, as a failing server or network does. */

interface Cut {
  /**
   * The connection is cut at the first matching query. Queries before the first assignment of an invoice number are
   * ignored, so that `/^COMMIT/` matches the transaction that assigns the number.
   */
  readonly at: RegExp
  /** With `during`, the query is sent, but the client does not learn its result. */
  readonly moment: 'before' | 'during' | 'after'
  readonly by: 'server' | 'network'
}

const takesNumber = /INSERT INTO invoice_series/

const cuts = {
  'ended before its number': { at: takesNumber, moment: 'before', by: 'server' },
  'ended with its number': { at: takesNumber, moment: 'after', by: 'server' },
  'lost before its number': { at: takesNumber, moment: 'before', by: 'network' },
  'lost with its number': { at: takesNumber, moment: 'after', by: 'network' },
  'lost while it commits': { at: /^COMMIT/, moment: 'during', by: 'network' },
} as const satisfies Record<string, Cut>
export type CutName = keyof typeof cuts
export const cutNames = Object.keys(cuts) as CutName[]

type Socketed = pg.Client & { connection: { stream: { destroy(): void } } }
// biome-ignore lint/suspicious/noExplicitAny: the driver's overloads
type Query = (this: Socketed, ...args: any[]) => any

const coming = new AsyncLocalStorage<{ cut: Cut | null; hasNumber: boolean }>()
const original = pg.Client.prototype.query as Query

const query: Query = function (...args) {
  const here = coming.getStore()
  const text = String(args[0]?.text ?? args[0])
  if (here) here.hasNumber ||= takesNumber.test(text)
  const cut = here?.cut
  if (!cut || !here.hasNumber || !cut.at.test(text)) return original.apply(this, args)
  here.cut = null
  const cutOff = async (): Promise<void> => {
    if (cut.by === 'network') this.connection.stream.destroy()
    // `pg_terminate_backend` on its own session returns an error instead of a result.
    else await original.call(this, 'SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined)
  }
  if (cut.moment === 'before') return cutOff().then(() => original.apply(this, args))
  const answer = original.apply(this, args)
  if (cut.moment === 'after') return answer.finally(cutOff)
  if (cut.moment === 'during') void cutOff()
  return answer
}

export function withCut<Result>(name: CutName, work: () => Promise<Result>): Promise<Result> {
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query
  return coming.run({ cut: cuts[name], hasNumber: false }, work)
}

/**
 * Returns how many database sessions the server ended (`ended`), and how many lost their client (`lost`). PostgreSQL
 * counts a session without a client as abandoned if it was reading, and as fatal if it was sending a response.
 */
export async function sessionsCut(): Promise<{ ended: number; lost: number }> {
  const [row] = await db().$queryRaw<{ ended: number; lost: number }[]>`
    SELECT sessions_killed::int AS ended, (sessions_abandoned + sessions_fatal)::int AS lost
    FROM pg_stat_database WHERE datname = current_database()`
  return row ?? { ended: 0, lost: 0 }
}
