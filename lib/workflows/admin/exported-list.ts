import { toWire } from '../../kernel/moment.ts'
import type { Permission } from '../../modules/operators/rules/access.ts'
import type { Page, PageQuery } from '../../platform/http/paging.ts'
import type { Access } from './access.ts'
import { chosen } from './list.ts'

export type Cells = Readonly<Record<string, string | number | null>>

/** The filters of the list that is exported, by name. */
export type Filters = Readonly<Record<string, string | null>>

/** A list that can be exported: who may, how it is read, and what its columns are. */
interface Exported<Row extends { id: string }> {
  readonly needs: Permission
  read(access: Pick<Access, 'tenant' | 'storefront'>, query: PageQuery, filters: Filters): Promise<Page<Row>>
  cells(row: Row): Cells
}

export const list = <Row extends { id: string }>(exported: Exported<Row>) =>
  exported as unknown as Exported<{ id: string }>

export const status = <Status extends string>(states: readonly Status[], { status }: Filters) => ({
  status: chosen(states, status).status ?? undefined,
})

/** Of a list that can be narrowed to a customer too. */
export const ofCustomer = ({ customer }: Filters) => ({ customerId: customer || undefined })

/** A list that is never longer than a page. */
export const whole = <Row>(rows: Row[]): Page<Row> => ({ rows, next: false, prev: false })

export const moment = (at: Date | null) => at && toWire(at)
