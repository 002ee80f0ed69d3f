export type ColumnType = 'String' | 'String[]' | 'Boolean' | 'Int' | 'Int[]' | 'BigInt' | 'DateTime' | 'Bytes' | 'Json'

export interface Relation {
  readonly table: string
  readonly isMany: boolean
  /** Pairs of columns that must be equal: [this table, the other table]. */
  readonly on: readonly (readonly [string, string])[]
}

/** `scripts/table-generator.mjs` generates the shapes from `prisma/schema.prisma`. */
export interface TableShape {
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly keys: Readonly<Record<string, readonly string[]>>
  readonly leading: readonly string[]
  readonly relations: Readonly<Record<string, Relation>>
}
