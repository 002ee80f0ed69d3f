import { createHash } from 'node:crypto'
import pg from 'pg'
import { config } from '../config.ts'
import { sent } from './condition.ts'
import type { SqlStatement } from './fragment.ts'
import { type QueryLimits, replaceConnections } from './pool.ts'
import { isReadOnly } from './unavailable.ts'

// Statements beyond this limit stay unnamed.
const mostStatements = 500
const statementNames = new Map<string, string>()

function statementName(text: string): string | undefined {
  // Behind a pooler the next transaction uses another connection, which does not know the name.
  if (config().databaseDirectUrl !== null) return undefined
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size === mostStatements) return known
  // The name is a hash of the text: both module graphs may use the statement on the same connection.
  const name = createHash('sha256').update(text).digest('base64url')
  statementNames.set(text, name)
  return name
}

export const forgetStatements = (): void => statementNames.clear()

interface Connection {
  query(query: pg.QueryConfig): Promise<pg.QueryResult>
}

/** `limits` of the statement replace those of its connection. */
export async function runOn(
  connection: Connection,
  { text, values }: SqlStatement,
  limits: QueryLimits = {},
): Promise<pg.QueryResult> {
  try {
    return await connection.query({ name: statementName(text), text, values: values.map(sent), ...limits })
  } catch (error) {
    if (isReadOnly(error)) replaceConnections()
    // The detail contains the values of a row, and errors are logged.
    if (error instanceof pg.DatabaseError) error.detail = undefined
    // The driver's stack leads to a socket; this one leads to the caller.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}
