import { type Fragment, fragment, type SqlStatement, sqlStatement } from './fragment.ts'
import { codeOf } from './one-connection.ts'

/** A change sent with the COMMIT, without waiting. A wrong number of rows makes the database commit nothing. */
export interface LastChange {
  readonly change: Fragment
  /** How many rows the change must affect, and the error otherwise; null if any number is allowed. */
  readonly must: { readonly rows: number; readonly otherwise: () => Error } | null
}

const otherRows = 'BH001' // raised by require_rows

export const statementOfLast = ({ change, must }: LastChange): SqlStatement =>
  sqlStatement(
    must
      ? fragment`WITH changed AS (${change} RETURNING 1) SELECT require_rows(count(*), ${must.rows}::int)::text FROM changed`
      : change,
    [],
  )

export const failureOfLast = ({ must }: LastChange, error: unknown): unknown =>
  must && codeOf(error) === otherRows ? must.otherwise() : error
