import { periodOf } from '../kernel/calendar-period.ts'
import { byteOrderMark } from '../kernel/csv.ts'
import { amount } from '../kernel/money.ts'
import { writeAudit } from '../modules/audit/write.ts'
import { statementFile } from '../modules/invoices/draw-documents.ts'
import type { StatementPage } from '../modules/ledger/page.ts'
import { statementCsv, statementFor } from '../modules/ledger/statement.ts'
import { now as timeOf } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import type { StorefrontForm } from './permissions.ts'
import { statementDocument } from './statement-document.ts'

export async function statementPage(
  place: StorefrontPath,
  month: string,
  cookies: string | null,
): Promise<StatementPage | null> {
  const access = await accessTo(place, 'balance/statements/[month]', cookies)
  if (!access || !periodOf(month)) return null
  const { status, statements } = await statementFor(access.tenant, month)
  return {
    period: month,
    isFinal: status === 'final',
    storefrontName: access.storefront.name,
    statements: statements.map(({ currency, opening, lines, closing }) => {
      const money = (minor: bigint) => amount(minor, currency)
      const sums = lines.map(({ kind, count, buyers, taxes, fees, balance }) => ({
        kind,
        count,
        buyers: money(buyers),
        taxes: money(taxes),
        fees: money(fees),
        balance: money(balance),
      }))
      return { currency, opening: money(opening), lines: sums, closing: money(closing) }
    }),
    ...(access.mayDo('export.statement') && {
      exportUrl: `${access.path}/export/statements/${month}`,
      pdfUrl: `${access.path}/export/statements/${month}/pdf`,
    }),
  }
}

interface File<Part> {
  readonly fileName: string
  readonly parts: AsyncGenerator<Part>
}

/** A monthly statement as CSV, recorded in the audit log. Null if the month is unknown, or if the reader has no permission. */
export async function exportStatement(
  place: StorefrontPath,
  month: string,
  cookies: string | null,
): Promise<File<string> | null> {
  const access = await exporterOf(place, 'export/statements/[month]', month, cookies)
  return access && fileOf(access, month, 'csv', byteOrderMark + (await statementCsv(access.tenant, month)))
}

/** A monthly statement as PDF. Throws `Busy` while too many PDF files are being created. */
export async function exportStatementPdf(
  place: StorefrontPath,
  month: string,
  cookies: string | null,
): Promise<File<Uint8Array> | null> {
  const access = await exporterOf(place, 'export/statements/[month]/pdf', month, cookies)
  if (!access) return null
  const { tenant, storefront } = access
  const now = await timeOf(db(), tenant)
  const document = await statementDocument(access, await statementFor(tenant, month), now)
  return fileOf(access, month, 'pdf', await statementFile(document, storefront.id))
}

async function exporterOf(
  place: StorefrontPath,
  form: StorefrontForm,
  month: string,
  cookies: string | null,
): Promise<Access | null> {
  const access = await accessToForm(place, form, null, cookies)
  return access && periodOf(month) ? access : null
}

async function fileOf<Part>(access: Access, month: string, format: 'csv' | 'pdf', content: Part): Promise<File<Part>> {
  const { actor, storefront, mode } = access
  await db().$transaction((sql) =>
    writeAudit(sql, actor, {
      action: 'export.statement',
      subject: storefront.id,
      before: null,
      after: { mode, month, ...(format === 'pdf' && { format }) },
    }),
  )
  return { fileName: `${storefront.id}-${mode}-statement-${month}.${format}`, parts: only(content) }
}

async function* only<Part>(content: Part): AsyncGenerator<Part> {
  yield content
}
