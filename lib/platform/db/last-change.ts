import { type Fragment, fragment, type SqlStatement, sqlStatement } from './fragment.ts'
import { codeOf } from './one-connection.ts'

/** A change that is sent together with the COMMIT. If the change affects a wrong number of rows, nothing is committed. */
export interface LastChange {
  readonly change: Fragment
  /** `rows` is the required number of changed rows. If the number differs, `otherwise` returns the error to throw. Null allows any number. */
  readonly must: { readonly rows: number; readonly otherwise: () => Error } | null
}

const otherRows = 'BH001' // The error code that the database function `require_rows` raises.

export const statementOfLast = ({ change, must }: LastChange): SqlStatement =>
  sqlStatement(
    must
      ? fragment`WITH changed AS (${change} RETURNING 1) SELECT require_rows(count(*), ${must.rows}::int)::text FROM changed`
      : change,
    [],
  )

export const failureOfLast = ({ must }: LastChange, error: unknown): unknown =>
  must && codeOf(error) === otherRows ? must.otherwise() : error
