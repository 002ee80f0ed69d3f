import { monthsFrom, periodOf, quartersOf } from '../kernel/calendar-period.ts'
import { byteOrderMark, csvTable } from '../kernel/csv.ts'
import { Refusal } from '../kernel/refusal.ts'
import { writeAudit } from '../modules/audit/write.ts'
import type { TaxReturnsPage } from '../modules/tax/page.ts'
import { realNow } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { takeTurn } from '../platform/db/turn.ts'
import { taxColumns } from '../workflows/tax-returns/columns.ts'
import { ossFileOf, ossReturnOf, salesListFor, taxTotalsFor } from '../workflows/tax-returns/operations.ts'
import { staffOn } from './access.ts'
import type { CsvFile } from './export.ts'
import { formState, leave, type Next } from './form-state.ts'
import type { ListParameters } from './list.ts'
import { problemTexts } from './problem-texts.ts'

const files = {
  oss: async (quarter: string) => csvTable(await ossReturnOf(live(quarter)), taxColumns.oss),
  'oss-portal': (quarter: string) => ossFileOf(live(quarter)),
  'sales-list': async (quarter: string) => csvTable(await salesListFor(live(quarter)), taxColumns.salesList),
  totals: async (quarter: string) => csvTable(await taxTotalsFor(live(quarter)), taxColumns.totals),
} as const

const names = Object.keys(files) as (keyof typeof files)[]

/** Live mode has one seller, whose tax returns cover all storefronts. */
const live = (period: string) => ({ period, testmode: false, storefrontId: null })

/**
 * The minimum interval between two exports of tax returns by any process, in milliseconds. The interval limits the load, because each export reads all
 * documents of a quarter.
 */
const pauseMs = 5_000

/** The page lists the quarters of the last 24 months. The command line exports older quarters. */
const mostMonths = 24

export async function taxReturnsPage(
  { quarter: asked = null, refused = null, form = null }: ListParameters,
  cookies: string | null,
): Promise<TaxReturnsPage | null> {
  const staff = await staffOn('tax-returns', cookies)
  if (!staff) return null
  const now = realNow()
  const quarters = quartersOf(monthsFrom(new Date(0), now, mostMonths))
  // The default is the last complete quarter, because the tax returns of that quarter are due next.
  const quarter = quarters.find((each) => each === asked) ?? (quarters[1] as string)
  const until = periodOf(quarter)?.until ?? now
  return {
    quarter,
    quarters: quarters.map((name) => ({ name, url: `/admin/tax-returns?quarter=${name}` })),
    isFinal: now >= until,
    problem: refused === 'busy' ? 'busy' : (formState(staff, form, cookies).problems.file ?? null),
    files: names.map((file) => ({ file, url: `/admin/export/tax-returns/${quarter}/${file}` })),
  }
}

/**
 * Returns a tax return of a quarter as a file, and records the export in the audit log. If the export is refused, returns the URL of the page that states the
 * reason. Returns null if the reader has no permission, or if the file or quarter is unknown.
 */
export async function exportTaxReturn(
  { file, quarter }: { readonly file: string; readonly quarter: string },
  cookies: string | null,
): Promise<CsvFile | Next | null> {
  const person = await staffOn('export/tax-returns/[quarter]/[file]', cookies)
  const name = names.find((each) => each === file)
  if (!person || !name || !/^20\d\d-Q[1-4]$/.test(quarter)) return null
  const page = `/admin/tax-returns?quarter=${quarter}`
  if (!(await takeTurn('tax return', pauseMs))) return { redirectTo: `${page}&refused=busy` }
  try {
    const content = await files[name](quarter)
    await db().$transaction((sql) =>
      writeAudit(sql, person.actor, {
        action: 'export.tax_return',
        subject: 'service',
        before: null,
        after: { file: name, quarter },
      }),
    )
    return {
      fileName: `${name}-${quarter}.csv`,
      parts: only(name === 'oss-portal' ? content : byteOrderMark + content),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return leave(person, page, {
      typed: {},
      problems: { file: Object.values(problemTexts(error.problems, person.language)).join(' ') },
    })
  }
}

async function* only(content: string): AsyncGenerator<string> {
  yield content
}
