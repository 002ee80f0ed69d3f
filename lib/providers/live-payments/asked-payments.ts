import type { Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { rawFragment } from '../../platform/db/fragment.ts'

/** One table per provider. Each table has at least the columns of the first table. */
export const askedPaymentTables = ['mollie_payments', 'stripe_payments'] as const
type Table = (typeof askedPaymentTables)[number]

export interface AskedPayment {
  readonly paymentId: string
  /** The provider's customer, who has the mandate. Null until the customer is created, and for a payment without a mandate. */
  readonly customerRef: string | null
  /** Null until the provider has responded. */
  readonly ref: string | null
  readonly askedAt: Date
}

export class AskedPayments {
  constructor(private readonly table: Table) {}

  /**
   * Records a payment before the first request to the provider. If the row already exists (`isFirst` is false), an earlier request may have created the payment
   * at the provider. A move of the storefront to another installation waits for this statement.
   */
  async begin(
    { storefrontId }: Tenant,
    paymentId: string,
    customerRef: string | null,
  ): Promise<{ asked: AskedPayment; isFirst: boolean }> {
    const inserted = await db().$executeRaw`
      INSERT INTO ${rawFragment(this.table)} (payment_id, customer_ref, asked_at)
      SELECT ${paymentId}, ${customerRef}, clock_timestamp() FROM hold_storefront(${storefrontId})
      ON CONFLICT (payment_id) DO NOTHING`
    const row = await this.rows.findUniqueOrThrow({ where: { payment_id: paymentId } })
    const asked = { paymentId, customerRef: row.customer_ref, ref: row.ref, askedAt: row.asked_at }
    return { asked, isFirst: inserted === 1 }
  }

  async save(
    { paymentId }: Pick<AskedPayment, 'paymentId'>,
    { customerRef, ref }: Partial<Pick<AskedPayment, 'customerRef' | 'ref'>>,
  ): Promise<void> {
    const data = { ...(customerRef !== undefined && { customer_ref: customerRef }), ...(ref !== undefined && { ref }) }
    await this.rows.update({ where: { payment_id: paymentId }, data, select: { ref: true } })
  }

  /** The payment that created the mandate of a charge: the customer's first payment at this provider, or null. */
  async firstOf({ paymentId, customerRef }: Pick<AskedPayment, 'paymentId' | 'customerRef'>): Promise<string | null> {
    const [first] = await db().$queryRaw<{ ref: string }[]>`
      SELECT asked.ref FROM payments charge JOIN orders due ON due.id = charge.order_id
      JOIN orders ON orders.customer_id = due.customer_id AND orders.storefront_id = due.storefront_id
        AND orders.testmode = due.testmode
      JOIN payments ON payments.order_id = orders.id
      JOIN ${rawFragment(this.table)} asked ON asked.payment_id = payments.id
      WHERE charge.id = ${paymentId} AND payments.id <> charge.id
        AND asked.customer_ref = ${customerRef} AND asked.ref IS NOT NULL
      ORDER BY asked.asked_at LIMIT 1`
    return first?.ref ?? null
  }

  async customersOf(paymentIds: readonly string[]): Promise<string[]> {
    const where = { payment_id: { in: [...paymentIds] }, customer_ref: { not: null } }
    const rows = await this.rows.findMany({ where, distinct: ['customer_ref'], select: { customer_ref: true } })
    return rows.flatMap(({ customer_ref }) => customer_ref ?? [])
  }

  private get rows(): Sql['mollie_payments'] {
    return db()[this.table] as Sql['mollie_payments']
  }
}
