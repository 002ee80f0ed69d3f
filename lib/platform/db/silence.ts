import type { Socket } from 'node:net'
import type pg from 'pg'
import { longestStatementMs } from './sessions.ts'

/** A connection on which nothing came for so long that its statement would have ended. */
class SilentDatabase extends Error {
  readonly code = 'ETIMEDOUT'
  constructor() {
    super('The database did not answer in time.')
  }
}

/** How much longer than a statement may take a connection waits for a sign of the database. */
const patienceMs = 5_000

/**
 * Cuts a connection on which nothing is sent or received for longer than a statement may take. A server that stands still
 * or cannot be reached any more ends no statement, and the network would try for a quarter of an hour.
 */
export function refuseSilence(client: pg.ClientBase, limitMs = longestStatementMs + patienceMs): void {
  const socket = socketOf(client)
  socket.setTimeout(limitMs)
  socket.on('timeout', () => socket.destroy(new SilentDatabase()))
}

/** Lets the statements of a connection take `statementMs`. Returns how to end that. */
export function bearSilence(client: pg.ClientBase, statementMs: number): () => void {
  const socket = socketOf(client)
  const before = socket.timeout ?? 0
  socket.setTimeout(statementMs + patienceMs)
  return () => void socket.setTimeout(before)
}

const socketOf = (client: pg.ClientBase): Socket => (client as pg.Client).connection.stream as Socket
