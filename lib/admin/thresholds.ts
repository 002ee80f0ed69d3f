import { amount } from '../kernel/money.ts'
import type { ThresholdPageRow, ThresholdsPage } from '../modules/tax/page.ts'
import { standings } from '../modules/tax/rules/index.ts'
import { realNow } from '../platform/clock/clock.ts'
import { type SoldIn, thresholdsOfYear } from '../workflows/tax-returns/operations.ts'
import { staffOn } from './access.ts'
import type { ListParameters } from './list.ts'

/** The number of years on the page, including this year. Earlier years are omitted, because only a tax adviser can correct the returns of those years. */
const yearsShown = 3

export async function thresholdsPage(
  { year: asked = null }: ListParameters,
  cookies: string | null,
): Promise<ThresholdsPage | null> {
  if (!(await staffOn('thresholds', cookies))) return null
  const years = Array.from({ length: yearsShown }, (_, back) => String(realNow().getUTCFullYear() - back))
  const year = years.find((each) => each === asked) ?? (years[0] as string)
  const { rows, status } = await thresholdsOfYear({ period: year, testmode: false, storefrontId: null })
  return {
    year,
    isFinal: status === 'final',
    years: years.map((name) => ({ name, url: `/admin/thresholds?year=${name}` })),
    rows: rows.map(pageRow).sort((a, b) => standings.indexOf(a.standing) - standings.indexOf(b.standing)),
  }
}

function pageRow({ country, sold, counted, threshold, percent, standing }: SoldIn): ThresholdPageRow {
  const row = { country, sold: amount(sold, 'EUR'), standing }
  if (threshold === null) return { ...row, threshold }
  const { counts, within, since, law } = threshold
  return {
    ...row,
    threshold: {
      amount: amount(threshold.amount, threshold.currency),
      counted: amount(counted, 'EUR'),
      percent: Number(percent),
      counts,
      within,
      since,
      law,
    },
  }
}
