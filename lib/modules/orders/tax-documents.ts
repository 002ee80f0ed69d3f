import type { Currency } from '../../kernel/money.ts'
import { ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { toTaxes } from '../tax/rows.ts'
import type { SalesSum, TaxAmount, TaxDocument, TaxRate, TaxSum } from '../tax/rules/index.ts'

/**
 * The documents of one storefront or, if `storefrontId` is null, of all storefronts, which in live mode have the same
 * seller.
 */
export interface TaxScope {
  readonly testmode: boolean
  readonly storefrontId: string | null
}

interface Row {
  id: string
  day: string
  sold_on: string | null
  supplied_on: string | null
  seller_country: string
  buyer_country: string
  postal_code: string | null
  tax_id: string | null
  currency: Currency
  exchange_rate: string | null
  subtotal: bigint
  tax_summary: unknown
}

const pageSize = 5000

/**
 * Returns the documents between two times, except documents with a total of 0.00. Days are in UTC. A credit note has
 * the current tax ID of its invoice. Documents of test mode have no postal code, because in test mode the country alone
 * decides the tax.
 */
export async function taxDocuments(
  sql: Sql,
  { testmode, storefrontId }: TaxScope,
  { from, until }: { from: Date; until: Date },
): Promise<TaxDocument[]> {
  const documents: TaxDocument[] = []
  for (let after = ''; ; ) {
    const rows = await sql.$queryRaw<Row[]>`
      SELECT each.id, to_char(each.paid_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
        to_char(sold.paid_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS sold_on,
        to_char(replaced.paid_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS supplied_on, each.seller->>'country' AS seller_country,
        each.customer_details->>'country' AS buyer_country,
        CASE WHEN NOT each.testmode THEN each.customer_details->>'postalCode' END AS postal_code,
        coalesce(sold.customer_details->>'taxId', each.customer_details->>'taxId') AS tax_id,
        each.currency, each.exchange_rate, each.subtotal, each.tax_summary
      FROM orders each LEFT JOIN orders sold ON sold.id = each.credited_order_id
        LEFT JOIN orders replaced ON replaced.id = each.replaces_order_id
      WHERE each.testmode = ${testmode} AND (${storefrontId}::text IS NULL OR each.storefront_id = ${storefrontId})
        AND (each.status = 'paid' OR each.invoice_number IS NOT NULL) AND each.total > 0 AND each.paid_at >= ${from} AND each.paid_at < ${until}
        AND each.id > ${after}
      ORDER BY each.id LIMIT ${pageSize}`
    documents.push(...rows.map(toDocument))
    if (rows.length < pageSize) return documents
    after = rows.at(-1)?.id ?? after
  }
}

const toDocument = (row: Row): TaxDocument => ({
  day: row.day,
  soldOn: row.sold_on,
  suppliedOn: row.supplied_on,
  sellerCountry: row.seller_country,
  buyerCountry: row.buyer_country,
  postalCode: row.postal_code,
  taxId: row.tax_id,
  currency: row.currency,
  exchangeRate: row.exchange_rate,
  subtotal: row.subtotal,
  taxes: toTaxes(row.tax_summary),
})

interface SumRow {
  is_credited: boolean
  seller_country: string
  buyer_country: string
  postal_code: string | null
  is_confirmed: boolean
  currency: Currency
  exchange_rate: string | null
  rates: unknown
  subtotal: bigint
}

/** A credit note uses the tax ID check of the credited order, because a credit note has no sale evidence of its own. */
export async function salesSums(
  sql: Sql,
  { testmode, storefrontId }: TaxScope,
  { from, until }: { from: Date; until: Date },
): Promise<SalesSum[]> {
  const rows = await sql.$queryRaw<SumRow[]>`
    SELECT each.credited_order_id IS NOT NULL AS is_credited, each.seller->>'country' AS seller_country,
      each.customer_details->>'country' AS buyer_country,
      CASE WHEN NOT each.testmode THEN each.customer_details->>'postalCode' END AS postal_code,
      coalesce(answer.result = 'valid', false) AS is_confirmed, each.currency, each.exchange_rate, tax.rates,
      sum(each.subtotal)::bigint AS subtotal
    FROM orders each LEFT JOIN sale_evidence evidence ON evidence.order_id = coalesce(each.credited_order_id, each.id)
      LEFT JOIN tax_id_checks answer ON answer.id = evidence.tax_id_check_id,
      LATERAL (SELECT jsonb_agg(rate - 'amount') AS rates FROM jsonb_array_elements(each.tax_summary) AS rate) tax
    WHERE each.testmode = ${testmode} AND (${storefrontId}::text IS NULL OR each.storefront_id = ${storefrontId})
      AND (each.status = 'paid' OR each.invoice_number IS NOT NULL) AND each.total > 0 AND each.paid_at >= ${from} AND each.paid_at < ${until}
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`
  return rows.map((row) => ({
    isCredited: row.is_credited,
    sellerCountry: row.seller_country,
    buyerCountry: row.buyer_country,
    postalCode: row.postal_code,
    isConfirmed: row.is_confirmed,
    currency: row.currency,
    exchangeRate: row.exchange_rate,
    taxes: (row.rates as TaxRate[]).map(({ name, percentage }) => ({ rate: { name, percentage } })),
    subtotal: row.subtotal,
  }))
}

interface ReportSumRow extends Omit<SumRow, 'is_confirmed' | 'exchange_rate'> {
  documents: bigint
  tax: bigint
}

/**
 * The database sums by country and tax rates, and in live mode also by postal code. The result therefore does not grow
 * with the number of documents.
 */
export async function taxSums(
  sql: Sql,
  tenant: Tenant,
  { from, until }: { from: Date; until: Date },
): Promise<TaxSum[]> {
  const rows = await sql.$queryRaw<ReportSumRow[]>`
    SELECT each.credited_order_id IS NOT NULL AS is_credited, each.seller->>'country' AS seller_country,
      each.customer_details->>'country' AS buyer_country,
      CASE WHEN NOT each.testmode THEN each.customer_details->>'postalCode' END AS postal_code,
      each.currency, tax.rates, count(*) AS documents, sum(each.subtotal)::bigint AS subtotal, sum(tax.amount)::bigint AS tax
    FROM orders each,
      LATERAL (SELECT jsonb_agg(rate - 'amount') AS rates, sum((rate->>'amount')::bigint) AS amount
        FROM jsonb_array_elements(each.tax_summary) AS rate) tax
    WHERE ${ownedRows(tenant, 'each')}
      AND (each.status = 'paid' OR each.invoice_number IS NOT NULL) AND each.total > 0 AND each.paid_at >= ${from} AND each.paid_at < ${until}
    GROUP BY 1, 2, 3, 4, 5, 6`
  return rows.map((row) => ({
    isCredited: row.is_credited,
    sellerCountry: row.seller_country,
    buyerCountry: row.buyer_country,
    postalCode: row.postal_code,
    currency: row.currency,
    rates: row.rates as TaxRate[],
    documents: Number(row.documents),
    net: row.subtotal,
    tax: row.tax,
  }))
}

/** Amounts are in minor units. */
export interface IssuedDocument {
  readonly id: string
  readonly issuedAt: Date
  readonly number: string | null
  readonly creditedNumber: string | null
  readonly replacedNumber: string | null
  readonly isCreditNote: boolean
  readonly customerId: string
  readonly name: string | null
  readonly company: string | null
  readonly country: string | null
  readonly taxId: string | null
  readonly currency: Currency
  readonly exchangeRate: string | null
  readonly net: bigint
  readonly total: bigint
  readonly taxes: readonly TaxAmount[]
}

type IssuedRow = Omit<IssuedDocument, 'taxes'> & { readonly taxes: unknown }

/** Returns the documents between two times, oldest first. `after` is the last document of the previous page. */
export async function issuedDocuments(
  sql: Sql,
  tenant: Tenant,
  { from, until }: { from: Date; until: Date },
  { after, limit }: { after: Pick<IssuedDocument, 'id' | 'issuedAt'> | null; limit: number },
): Promise<IssuedDocument[]> {
  const rows = await sql.$queryRaw<IssuedRow[]>`
    SELECT each.id, each.paid_at AS "issuedAt", each.invoice_number AS number, sold.invoice_number AS "creditedNumber",
      replaced.invoice_number AS "replacedNumber", each.credited_order_id IS NOT NULL AS "isCreditNote",
      each.customer_id AS "customerId", each.customer_details->>'fullName' AS name,
      each.customer_details->>'companyName' AS company, each.customer_details->>'country' AS country,
      each.customer_details->>'taxId' AS "taxId", each.currency, each.exchange_rate AS "exchangeRate",
      each.subtotal AS net, each.total, each.tax_summary AS taxes
    FROM orders each LEFT JOIN orders sold ON sold.id = each.credited_order_id
      LEFT JOIN orders replaced ON replaced.id = each.replaces_order_id
    WHERE ${ownedRows(tenant, 'each')}
      AND (each.status = 'paid' OR each.invoice_number IS NOT NULL) AND each.total > 0
      AND (each.paid_at, each.id) > (${after?.issuedAt ?? from}, ${after?.id ?? ''}) AND each.paid_at < ${until}
    ORDER BY each.paid_at, each.id LIMIT ${limit}`
  return rows.map((row) => ({ ...row, taxes: toTaxes(row.taxes) }))
}
