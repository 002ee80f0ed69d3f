import type { Columns } from '../../kernel/csv.ts'
import { toWire } from '../../kernel/moment.ts'
import type { Storefront } from '../../modules/accounts/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Page, PageQuery } from '../../platform/http/paging.ts'

export type Filters = Readonly<Record<string, string | null>>

interface Listed {
  readonly tenant: Tenant
  readonly storefront: Storefront
}

interface CsvList<Row extends { id: string }> {
  read(of: Listed, query: PageQuery, filters: Filters): Promise<Page<Row>>
  readonly columns: Columns<Row>
}

export const list = <Row extends { id: string }>(exported: CsvList<Row>) =>
  exported as unknown as CsvList<{ id: string }>

export const status = <Status extends string>(states: readonly Status[], { status }: Filters) => ({
  status: states.find((each) => each === status),
})

export const ofCustomer = ({ customer }: Filters) => ({ customerId: customer || undefined })

/** Returns the rows in the form in which the API shows them. */
export async function shownAs<Row, Shown>(page: Promise<Page<Row>>, shown: (row: Row) => Shown): Promise<Page<Shown>> {
  const { rows, ...rest } = await page
  return { rows: rows.map(shown), ...rest }
}

export const whole = <Row>(rows: Row[]): Page<Row> => ({ rows, next: false, prev: false })

export const moment = (at: Date | null) => at && toWire(at)
