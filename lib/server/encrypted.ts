import { placeOf as placeOfAddress } from '../modules/emails/sealed-address.ts'
import { sealedInSession, sealedAt as totpSecretAt } from '../modules/operators/store.ts'
import { emailPasswordLink, recordPasswordLock } from '../modules/operators/tasks.ts'
import { emailPortalLink } from '../modules/portal/tasks.ts'
import { exported, type Row, type Sealed } from '../workflows/transfer/tables.ts'

export interface KeyColumn {
  readonly name: string
  readonly type: string
}

/** The encrypted values of one column. The column is of bytes or text, or it is a JSON object with an encrypted field. */
export interface Encrypted extends Omit<Sealed, 'column'> {
  readonly table: string
  /** The display name of the values, such as `emails.sealed`. */
  readonly name: string
  /** The SQL expression of the encrypted value. */
  readonly value: string
  /** The SQL assignment that replaces the value with the parameter `$1`. */
  readonly assignment: string
  /** The columns of a unique index, with their SQL types. The rows are read in the order of this index. The default is the primary key. */
  readonly key?: readonly KeyColumn[]
  /** SQL conditions that select the rows with encrypted values, for a table with many other rows. Each condition must be able to use the index of `key`. */
  readonly among?: readonly string[]
  /** SQL expressions that `at` needs in addition to the columns of `key`. */
  readonly also?: readonly string[]
}

const ofColumn = (table: string, { column, ...sealed }: Sealed): Encrypted => ({
  ...sealed,
  table,
  name: `${table}.${column}`,
  value: `"${column}"`,
  assignment: `"${column}" = $1`,
})

const inBytes = (table: string, column: string, at: (id: string) => string): Encrypted =>
  ofColumn(table, { column, encoding: 'hex', at: (row: Row) => at(row.id ?? '') })

export const keyProofAt = (id: string) => `key_proofs|${id}|sealed`

/** All values in the database that are encrypted with SECRET_KEY. `encrypted.db.test.ts` fails if a column is missing. */
export const encrypted: readonly Encrypted[] = [
  inBytes('key_proofs', 'sealed', keyProofAt),
  inBytes('operators', 'totp_secret', totpSecretAt),
  inBytes('operator_sessions', 'totp_secret', sealedInSession),
  ...Object.entries(exported).flatMap(([table, { sealed = [] }]) => sealed.map((each) => ofColumn(table, each))),
  {
    table: 'tasks',
    name: 'tasks.data',
    value: "(data->>'sealedEmail')",
    assignment: "data = jsonb_set(data, '{sealedEmail}', to_jsonb($1::text))",
    key: ['name', 'key'].map((name) => ({ name, type: 'text' })),
    among: [emailPasswordLink, recordPasswordLock, emailPortalLink].map(({ name }) => `name = '${name}'`),
    also: ["data->>'key' AS sealed_for"],
    encoding: 'base64',
    at: (row) => placeOfAddress(row.sealed_for ?? ''),
  },
]
