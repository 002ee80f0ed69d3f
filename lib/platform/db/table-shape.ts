export type ColumnType = 'String' | 'String[]' | 'Boolean' | 'Int' | 'Int[]' | 'BigInt' | 'DateTime' | 'Bytes' | 'Json'

export interface Relation {
  readonly table: string
  readonly isMany: boolean
  /** Pairs of equal columns: of this table, and of the other table. */
  readonly on: readonly (readonly [string, string])[]
}

/** A table as `prisma/schema.prisma` describes it; `scripts/table-generator.mjs` writes all of them. */
export interface TableShape {
  readonly columns: Readonly<Record<string, ColumnType>>
  /** Keys of several columns, by the name used in queries. */
  readonly keys: Readonly<Record<string, readonly string[]>>
  readonly leading: readonly string[]
  readonly relations: Readonly<Record<string, Relation>>
}
