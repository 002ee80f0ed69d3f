import { toWire } from '../../kernel/moment.ts'
import type { Storefront } from '../../modules/accounts/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Page, PageQuery } from '../../platform/http/paging.ts'

export type Cells = Readonly<Record<string, string | number | null>>

export type Filters = Readonly<Record<string, string | null>>

interface Listed {
  readonly tenant: Tenant
  readonly storefront: Storefront
}

interface CsvList<Row extends { id: string }> {
  read(of: Listed, query: PageQuery, filters: Filters): Promise<Page<Row>>
  cells(row: Row): Cells
}

export const list = <Row extends { id: string }>(exported: CsvList<Row>) =>
  exported as unknown as CsvList<{ id: string }>

export const status = <Status extends string>(states: readonly Status[], { status }: Filters) => ({
  status: states.find((each) => each === status),
})

export const ofCustomer = ({ customer }: Filters) => ({ customerId: customer || undefined })

export const whole = <Row>(rows: Row[]): Page<Row> => ({ rows, next: false, prev: false })

export const moment = (at: Date | null) => at && toWire(at)
