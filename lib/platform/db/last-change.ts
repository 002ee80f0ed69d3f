import { type Fragment, fragment, type Statement, statementOf } from './fragment.ts'
import { codeOf } from './one-connection.ts'

/**
 * A change that a transaction sends with its COMMIT, in one write: it does not wait for the answer. If the change finds other
 * rows than it must, the database fails it, and commits nothing.
 */
export interface LastChange {
  /** An UPDATE or a DELETE, without RETURNING. */
  readonly change: Fragment
  /** How many rows it must change, and what is thrown otherwise; null where it may change any number. */
  readonly must: { readonly rows: number; readonly otherwise: () => Error } | null
}

const otherRows = 'BH001' // of require_rows

export const statementOfLast = ({ change, must }: LastChange): Statement =>
  statementOf(
    must
      ? fragment`WITH changed AS (${change} RETURNING 1) SELECT require_rows(count(*), ${must.rows}::int)::text FROM changed`
      : change,
    [],
  )

/** The error of a failed last change. */
export const failureOfLast = ({ must }: LastChange, error: unknown): unknown =>
  must && codeOf(error) === otherRows ? must.otherwise() : error
