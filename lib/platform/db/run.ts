import { createHash } from 'node:crypto'
import pg from 'pg'
import { config } from '../config.ts'
import { sent } from './condition.ts'
import type { SqlStatement } from './fragment.ts'
import { type QueryLimits, replaceConnections } from './pool.ts'
import { isReadOnly } from './unavailable.ts'

// The maximum number of statements that are prepared by name. Further statements are not prepared by name.
const mostStatements = 500
const statementNames = new Map<string, string>()

function statementName(text: string): string | undefined {
  // Behind a pooler, statements are not prepared by name, because the next transaction may use a connection on which
  // the statement is not prepared.
  if (config().databaseDirectUrl !== null) return undefined
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size === mostStatements) return known
  // The name is a hash of the text. The server bundle and the page bundle share connections, so they must never give
  // one name to two texts.
  const name = createHash('sha256').update(text).digest('base64url')
  statementNames.set(text, name)
  return name
}

export const forgetStatements = (): void => statementNames.clear()

interface Connection {
  query(query: pg.QueryConfig): Promise<pg.QueryResult>
}

export async function runOn(
  connection: Connection,
  { text, values }: SqlStatement,
  limits: QueryLimits = {},
): Promise<pg.QueryResult> {
  try {
    return await connection.query({ name: statementName(text), text, values: values.map(sent), ...limits })
  } catch (error) {
    if (isReadOnly(error)) replaceConnections()
    // The error's detail contains values of a row, which must not be logged.
    if (error instanceof pg.DatabaseError) error.detail = undefined
    // Replaces the stack trace of the driver, which shows only its socket, with the stack trace of the caller.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}
