import type { Sql } from '../../platform/db/db.ts'

export interface PasswordReset {
  readonly id: string
  readonly operatorId: string
  readonly expiresAt: Date
  readonly endedAt: Date | null
}

export async function insertReset(
  sql: Sql,
  { id, operatorId, createdAt, expiresAt }: Omit<PasswordReset, 'endedAt'> & { readonly createdAt: Date },
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const data = { id, operator_id: operatorId, token_hash: tokenHash, created_at: createdAt, expires_at: expiresAt }
  await sql.password_resets.create({ data, select: { id: true } })
}

export async function newestResets(sql: Sql, operatorId: string): Promise<Date[]> {
  const where = { operator_id: operatorId }
  const select = { created_at: true } as const
  const rows = await sql.password_resets.findMany({ where, orderBy: { id: 'desc' }, take: 10, select })
  return rows.map(({ created_at }) => created_at)
}

export async function findReset(sql: Sql, tokenHash: Uint8Array<ArrayBuffer>): Promise<PasswordReset | null> {
  const row = await sql.password_resets.findUnique({ where: { token_hash: tokenHash } })
  return row && { id: row.id, operatorId: row.operator_id, expiresAt: row.expires_at, endedAt: row.ended_at }
}

export async function endResets(sql: Sql, operatorId: string, at: Date): Promise<void> {
  await sql.password_resets.updateMany({ where: { operator_id: operatorId, ended_at: null }, data: { ended_at: at } })
}
