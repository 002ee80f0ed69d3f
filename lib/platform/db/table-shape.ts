/** What is known of a table's columns: the types of Prisma's schema language. */
export type ColumnType = 'String' | 'String[]' | 'Boolean' | 'Int' | 'Int[]' | 'BigInt' | 'DateTime' | 'Bytes' | 'Json'

export interface Relation {
  readonly table: string
  readonly isMany: boolean
  /** Pairs of columns that are equal: of this table, of the other one. */
  readonly on: readonly (readonly [string, string])[]
}

/** A table as `prisma/schema.prisma` describes it; `scripts/table-generator.mjs` writes all of them. */
export interface TableShape {
  readonly columns: Readonly<Record<string, ColumnType>>
  /** Keys of several columns, by the name that queries give them. */
  readonly keys: Readonly<Record<string, readonly string[]>>
  /** Columns with which an index begins. */
  readonly leading: readonly string[]
  readonly relations: Readonly<Record<string, Relation>>
}
