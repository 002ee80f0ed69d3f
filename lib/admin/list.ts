import type { AdminList, ListDates, OtherSort, SortName, StatusFilter } from '../kernel/list.ts'
import { Refusal } from '../kernel/refusal.ts'
import { db, type Sql } from '../platform/db/db.ts'
import { reader } from '../platform/db/replica.ts'
import { days } from '../platform/http/days.ts'
import type { Page, PageQuery } from '../platform/http/paging.ts'
import type { Access } from './access.ts'
import type { StorefrontPage } from './permissions.ts'

const rowsOnPage = 50

export type ListParameters = Readonly<Record<string, string | null>>

/** Parameters that report the result of a form. Links to further pages omit them. */
const ofForms = ['done', 'failed', 'form']

const filterNames = ['status', 'customer', 'email', 'endpoint', 'name', 'from', 'to']

const usual: Readonly<Record<SortName, 'ascending' | 'descending'>> = {
  amount: 'descending',
  'next-charge': 'ascending',
  name: 'ascending',
}
const reverse = '-reverse'

/**
 * With one of these filters, a list can be sorted only by date, because no index supports the filter and another order
 * together (decision 40).
 */
const withoutOtherSorts = ['customer', 'email', 'from', 'to']

interface ChosenSort {
  readonly name: SortName
  readonly isDescending: boolean
}

type ListQuery = PageQuery & { readonly sort: ChosenSort | null }

/**
 * One page of a list, read from the replica if one is configured. An invalid cursor leads to the first page. Links keep
 * all parameters except cursors and the results of forms.
 */
export async function adminList<Row extends { id: string }, Shown>(
  path: string,
  { startingAfter = null, endingBefore = null, ...parameters }: ListParameters,
  read: (query: ListQuery, sql: Sql) => Promise<Page<Row>>,
  show: (row: Row) => Shown,
  sorts: readonly SortName[] = [],
): Promise<AdminList<Shown> & { readonly dates: ListDates }> {
  const cursor = startingAfter ? { startingAfter } : endingBefore ? { endingBefore } : {}
  // After a form, the list is read from the primary database, because the replica may not yet contain the effect of the
  // form.
  const sql = ofForms.some((name) => parameters[name]) ? db() : reader()
  const { range, from, to } = days(parameters)
  const oldestFirst = parameters.sort === 'oldest'
  const offered = withoutOtherSorts.some((name) => parameters[name]) ? [] : sorts
  const sort = offered.flatMap((name) => chosenSort(name, parameters.sort))[0] ?? null
  const sortKept = oldestFirst || sort ? (parameters.sort ?? null) : null
  const kept = keptOf({ ...parameters, from, to, sort: sortKept })
  const without = (...names: string[]) => kept.filter(([name]) => !names.includes(name))
  const { rows, next, prev } = await readOrRestart(
    (query) => read({ ...range, oldestFirst, sort, ...query }, sql),
    cursor,
  )
  const url = (name: 'startingAfter' | 'endingBefore', row: Row | undefined) =>
    row ? addressOf(path, [...kept, [name, row.id]]) : null
  const nextUrl = next ? url('startingAfter', rows.at(-1)) : null
  const prevUrl = prev ? url('endingBefore', rows[0]) : null
  const isFiltered = kept.some(([name]) => filterNames.includes(name))
  return {
    rows: rows.map(show),
    newerUrl: oldestFirst ? nextUrl : prevUrl,
    olderUrl: oldestFirst ? prevUrl : nextUrl,
    ...(isFiltered && { clearUrl: addressOf(path, without(...filterNames)) }),
    dates: {
      isByDate: sort === null,
      isOldestFirst: oldestFirst,
      turnedUrl: addressOf(path, oldestFirst || sort ? without('sort') : [...kept, ['sort', 'oldest']]),
      sort: sortKept,
      others: offered.map((name) =>
        otherSort(name, sort, (value) => addressOf(path, [...without('sort'), ['sort', value]])),
      ),
      from,
      to,
      allDaysUrl: addressOf(path, without('from', 'to')),
      path,
      kept: sort ? without('from', 'to', 'sort') : without('from', 'to'),
    },
  }
}

function chosenSort(name: SortName, asked: string | null | undefined): ChosenSort[] {
  if (asked === name) return [{ name, isDescending: usual[name] === 'descending' }]
  return asked === `${name}${reverse}` ? [{ name, isDescending: usual[name] === 'ascending' }] : []
}

function otherSort(name: SortName, chosen: ChosenSort | null, url: (sort: string) => string): OtherSort {
  const isChosen = chosen?.name === name
  const direction = isChosen ? (chosen.isDescending ? 'descending' : 'ascending') : null
  const isReverse = direction === usual[name]
  return { name, direction, url: url(isReverse ? `${name}${reverse}` : name), isReverse }
}

type Kept = readonly (readonly [string, string])[]

const keptOf = (parameters: ListParameters): Kept =>
  Object.entries(parameters).filter(
    (entry): entry is [string, string] => Boolean(entry[1]) && !ofForms.includes(entry[0]),
  )

const addressOf = (path: string, parameters: Kept): string =>
  parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters.map(([name, text]) => [name, text]))}`

export const actionOf = (access: Access, page: StorefrontPage): { actionUrl?: string } =>
  access.mayOpen(page) ? { actionUrl: `${access.path}/${page}` } : {}

export const chosen = <Status extends string>(
  statuses: readonly Status[],
  asked: string | null | undefined,
): StatusFilter<Status> => ({ status: statuses.find((each) => each === asked) ?? null, statuses })

async function readOrRestart<Row>(
  read: (query: PageQuery) => Promise<Page<Row>>,
  cursor: Omit<PageQuery, 'limit'>,
): Promise<Page<Row>> {
  try {
    return await read({ limit: rowsOnPage, ...cursor })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return read({ limit: rowsOnPage })
  }
}
