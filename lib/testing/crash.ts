import pg from 'pg'
import { closeDatabase } from '../platform/db.ts'

// biome-ignore lint/suspicious/noExplicitAny: the driver's overloads
type Query = (this: pg.Client, ...args: any[]) => any

/**
 * Runs `work` as in a process that is killed at its n-th query: `before` it is sent, or `after` the database did it and
 * before anybody heard. From then on nothing reaches the database any more, and its connections are cut, so that it rolls
 * back what was open. What the work kept in memory is of no use to what comes next, which is what a kill means.
 * Answers whether the kill came before the work ended.
 */
export async function killedAt(n: number, moment: 'before' | 'after', work: () => Promise<unknown>): Promise<boolean> {
  const original = pg.Client.prototype.query as Query
  const clients = new Set<pg.Client>()
  let count = 0
  let dead = false
  const die = () => {
    dead = true
    for (const client of clients)
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    throw new Error('killed')
  }
  const query: Query = function (...args) {
    clients.add(this)
    if (dead) throw new Error('killed')
    count++
    if (count < n) return original.apply(this, args)
    if (moment === 'before') return die()
    const answer = Promise.resolve(original.apply(this, args)).then(die)
    answer.catch(() => undefined) // whoever asked hears it too; the driver also asks without listening
    return answer
  }
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query
  try {
    await work().catch((error: unknown) => {
      if (!dead) throw error
    })
  } finally {
    pg.Client.prototype.query = original as typeof pg.Client.prototype.query
    await closeDatabase().catch((error: unknown) => {
      if (!dead) throw error
    })
  }
  return dead
}
