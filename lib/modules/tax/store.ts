import type { Tenant } from '../../platform/clock/clock.ts'
import { ownedBy } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { TaxDecision } from './rules/index.ts'

type TaxIdResult = 'valid' | 'invalid' | 'unknown'

/** What is known of a tax ID, by its registry. The same for every storefront. */
export interface TaxIdCheck {
  /** Without blanks, in capitals, with the prefix. */
  readonly taxId: string
  readonly result: TaxIdResult
  /** As registered. */
  readonly name: string | null
  readonly address: string | null
  readonly consultationNumber: string | null
  readonly checkedAt: Date
  /** How often the registry had no answer, since its last one. */
  readonly attempts: number
}

export async function findCheck(sql: Sql, taxId: string): Promise<TaxIdCheck | null> {
  const row = await sql.tax_id_checks.findUnique({ where: { tax_id: taxId } })
  return (
    row && {
      taxId: row.tax_id,
      result: row.result as TaxIdResult,
      name: row.name,
      address: row.address,
      consultationNumber: row.consultation_number,
      checkedAt: row.checked_at,
      attempts: row.attempts,
    }
  )
}

/** Keeps an answer. A registry that does not answer takes nothing back that it said before. */
export async function saveCheck(sql: Sql, check: TaxIdCheck): Promise<void> {
  const { taxId, result, name, address, consultationNumber, checkedAt, attempts } = check
  const columns = { result, name, address, consultation_number: consultationNumber, checked_at: checkedAt, attempts }
  await sql.tax_id_checks.upsert({ where: { tax_id: taxId }, create: { tax_id: taxId, ...columns }, update: columns })
}

/** What decided the tax of a sale, as it was known when the buyer paid. */
export interface TaxEvidence {
  readonly orderId: string
  readonly declaredCountry: string
  readonly postalCode: string | null
  readonly ipCountry: string | null
  readonly taxId: string | null
  readonly taxIdResult: TaxIdResult | null
  readonly consultationNumber: string | null
  readonly reason: TaxDecision['reason']
  /** The day of the reference rate, of a sale that is not in EUR, as 2026-11-20. */
  readonly exchangeRateOn: string | null
  readonly decidedAt: Date
}

/** Keeps the evidence of a sale; of one that is submitted again, in place of the earlier one. */
export async function saveEvidence(sql: Sql, tenant: Tenant, evidence: TaxEvidence): Promise<void> {
  const columns = {
    ...ownedBy(tenant),
    declared_country: evidence.declaredCountry,
    postal_code: evidence.postalCode,
    ip_country: evidence.ipCountry,
    tax_id: evidence.taxId,
    tax_id_result: evidence.taxIdResult,
    consultation_number: evidence.consultationNumber,
    reason: evidence.reason,
    exchange_rate_on: evidence.exchangeRateOn === null ? null : new Date(`${evidence.exchangeRateOn}T00:00:00Z`),
    decided_at: evidence.decidedAt,
  }
  const where = { order_id: evidence.orderId }
  await sql.tax_evidence.upsert({ where, create: { order_id: evidence.orderId, ...columns }, update: columns })
}

export async function findEvidence(sql: Sql, orderId: string): Promise<TaxEvidence | null> {
  const row = await sql.tax_evidence.findUnique({ where: { order_id: orderId } })
  return (
    row && {
      orderId,
      declaredCountry: row.declared_country,
      postalCode: row.postal_code,
      ipCountry: row.ip_country,
      taxId: row.tax_id,
      taxIdResult: row.tax_id_result as TaxIdResult | null,
      consultationNumber: row.consultation_number,
      reason: row.reason as TaxEvidence['reason'],
      exchangeRateOn: row.exchange_rate_on?.toISOString().slice(0, 10) ?? null,
      decidedAt: row.decided_at,
    }
  )
}
