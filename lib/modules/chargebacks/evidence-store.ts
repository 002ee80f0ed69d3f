import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import { isOpenable, seal, unseal } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Evidence, type EvidenceKind, type EvidenceType, evidenceKinds } from './rules/evidence.ts'

export const sealedAt = (id: string) => `chargeback_evidence|${id}|sealed`

/**
 * `refused`: the provider did not accept the evidence. `unreadable`: nothing was sent, because the key that encrypted the evidence is not configured. If an
 * operator adds the key before the deadline, the evidence is sent. `late`: nothing was sent, because the dispute was already answered or decided.
 */
export type Answer = 'concede' | 'evidence' | 'refused' | 'late' | 'unreadable'

/** Whether the merchant can send an answer: no answer exists yet, or the earlier answer was refused or unreadable. */
export const isAnswerable = (answer: Answer | null): boolean =>
  answer === null || answer === 'refused' || answer === 'unreadable'

export interface Answered {
  readonly ref: string
  readonly orderId: string
  readonly status: string
  readonly answer: Answer | null
  readonly answeredAt: Date | null
  readonly respondBy: Date | null
}

async function answerWhere(sql: Sql, tenant: Tenant, id: string): Promise<Answered | null> {
  const row = await sql.chargebacks.findFirst({ where: { id, ...ownedBy(tenant) } })
  return (
    row && {
      ref: row.provider_ref,
      orderId: row.order_id,
      status: row.status,
      answer: row.answer as Answer | null,
      answeredAt: row.answered_at,
      respondBy: row.respond_by,
    }
  )
}

export const findAnswer = answerWhere

export async function lockAnswer(sql: Sql, tenant: Tenant, id: string): Promise<Answered | null> {
  await sql.$queryRaw`SELECT 1 FROM chargebacks
    WHERE id = ${id} AND ${ownedRows(tenant)} FOR UPDATE`
  return answerWhere(sql, tenant, id)
}

export async function saveAnswer(sql: Sql, id: string, answer: Answer, at: Date): Promise<void> {
  await sql.chargebacks.update({ where: { id }, data: { answer, answered_at: at }, select: { id: true } })
}

export async function saveRespondBy(sql: Sql, id: string, respondBy: Date): Promise<void> {
  await sql.chargebacks.update({ where: { id }, data: { respond_by: respondBy }, select: { id: true } })
}

export interface ShownEvidence {
  readonly id: string
  readonly kind: EvidenceKind
  readonly type: EvidenceType
  /** `size` is in bytes. */
  readonly size: number
}

/** The maximum number of parts of the evidence: one statement, and one file of each kind. */
const mostParts = 1 + evidenceKinds.length

/**
 * Returns the newest evidence of the merchant, at most one part of each kind. The parts of a refused attempt were
 * deleted.
 */
export async function evidenceOfChargeback(sql: Sql, tenant: Tenant, chargebackId: string): Promise<ShownEvidence[]> {
  const rows = await sql.chargeback_evidence.findMany({
    where: { chargeback_id: chargebackId, ...ownedBy(tenant) },
    orderBy: { id: 'asc' },
    select: { id: true, kind: true, type: true, size: true },
    take: mostParts,
  })
  return rows as ShownEvidence[]
}

export async function insertEvidence(
  sql: Sql,
  tenant: Tenant,
  { id, chargebackId, evidence, createdAt }: { id: string; chargebackId: string; evidence: Evidence; createdAt: Date },
): Promise<void> {
  const { kind, type, bytes } = evidence
  await sql.chargeback_evidence.create({
    data: {
      id,
      ...ownedBy(tenant),
      chargeback_id: chargebackId,
      kind,
      type,
      size: bytes.length,
      sealed: seal(Buffer.from(bytes).toString('base64'), sealedAt(id)),
      created_at: createdAt,
    },
    select: { id: true },
  })
}

/** Returns null if the key that encrypted the evidence is not configured. */
export async function evidenceToSend(
  sql: Sql,
  tenant: Tenant,
  chargebackId: string,
): Promise<(Evidence & { id: string })[] | null> {
  const where = { chargeback_id: chargebackId, ...ownedBy(tenant), sealed: { not: null } }
  const rows = await sql.chargeback_evidence.findMany({ where, orderBy: { id: 'asc' } })
  if (rows.some(({ sealed }) => sealed && !isOpenable(sealed))) return null
  return rows.flatMap(({ id, kind, type, sealed }) =>
    sealed
      ? [
          {
            id,
            kind: kind as EvidenceKind,
            type: type as EvidenceType,
            bytes: new Uint8Array(Buffer.from(unseal(sealed, sealedAt(id)), 'base64')),
          },
        ]
      : [],
  )
}

/** Deletes the content of the evidence. Call this function after the provider has accepted or refused the evidence. */
export async function forgetEvidence(sql: Sql, tenant: Tenant, chargebackId: string): Promise<void> {
  const where = { chargeback_id: chargebackId, ...ownedBy(tenant), sealed: { not: null } }
  await sql.chargeback_evidence.updateMany({ where, data: { sealed: null } })
}

export async function removeEvidence(sql: Sql, tenant: Tenant, chargebackId: string): Promise<void> {
  await sql.chargeback_evidence.deleteMany({ where: { chargeback_id: chargebackId, ...ownedBy(tenant) } })
}
