import { type Fragment, fragment, type SqlStatement, sqlStatement } from './fragment.ts'
import { codeOf } from './one-connection.ts'

/**
 * A change that a transaction sends together with its COMMIT, without waiting for a response. If the change affects a
 * wrong number of rows, the database refuses it and commits nothing.
 */
export interface LastChange {
  /** An INSERT, an UPDATE, or a DELETE, without RETURNING. */
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

/** The error of a failed last change. */
export const failureOfLast = ({ must }: LastChange, error: unknown): unknown =>
  must && codeOf(error) === otherRows ? must.otherwise() : error
