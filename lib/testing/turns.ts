import type pg from 'pg'
import { watchingQueries } from './recorded-queries.ts'

interface Sending {
  open: number
  turns: string[][]
}

/**
 * Returns the round trips of each committed transaction of `work`, because a transaction holds its locks during each
 * round trip. A round trip is the list of statements that were sent before the database answered the earlier
 * statements.
 */
export async function turnsOf(work: () => Promise<unknown>): Promise<string[][][]> {
  const sendings = new Map<pg.Client, Sending>()
  const committed: string[][][] = []
  const watched = (client: pg.Client): Sending => {
    const before = sendings.get(client)
    if (before) return before
    const sending: Sending = { open: 0, turns: [] }
    client.connection.on('readyForQuery', () => {
      sending.open -= 1
    })
    sendings.set(client, sending)
    return sending
  }
  await watchingQueries((client, query) => {
    const text = query.text.trim()
    const sending = watched(client)
    if (/^BEGIN\b/.test(text)) sending.turns = []
    if (sending.open === 0) sending.turns.push([])
    sending.open += 1
    sending.turns.at(-1)?.push(text)
    if (text === 'COMMIT') {
      committed.push(sending.turns)
      sending.turns = [[]]
    }
  }, work)
  return committed
}
