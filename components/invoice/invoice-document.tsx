import { LogoImage } from '@/components/ui/brand.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { InvoiceDocument, InvoiceView } from '@/lib/modules/invoices/page.ts'

export function InvoiceDocumentView({
  document: invoice,
  others = [],
}: Pick<InvoiceView, 'document'> & Partial<InvoiceView>) {
  const { columns } = invoice
  return (
    <>
      {invoice.test && <TestBand />}
      <main className="mx-auto max-w-[210mm] bg-paper px-5 py-8 hand:px-8 wide:my-10 wide:min-h-[297mm] wide:px-[18mm] wide:py-[16mm] wide:shadow-sheet print:m-0 print:min-h-0 print:max-w-none print:p-0 print:shadow-none">
        <header className="grid gap-x-8 gap-y-6 wide:grid-cols-2 print:grid-cols-2">
          <div>
            {invoice.logo && (
              <p className="mb-5 print:mb-3">
                <LogoImage alt={invoice.logo.name} logo={invoice.logo} />
              </p>
            )}
            <h1 className="font-semibold text-title tracking-tight">{invoice.heading}</h1>
            {invoice.test && <p className="mt-1 max-w-xs font-medium text-note">{invoice.test.note}</p>}
            <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-note print:hidden">
              <a href={invoice.pdf.url} type="application/pdf">
                {invoice.pdf.label}
              </a>
              {invoice.ubl && (
                <a href={invoice.ubl.url} type="application/xml">
                  {invoice.ubl.label}
                </a>
              )}
            </p>
            {others.map(({ label, url }) => (
              <p className="mt-1 text-note print:hidden" key={url}>
                <a href={url}>{label}</a>
              </p>
            ))}
          </div>
          <dl className="grid min-w-0 grid-cols-[minmax(min-content,1fr)_fit-content(58%)] content-start gap-x-6 gap-y-1 text-note">
            {invoice.facts.map(({ label, value }, index) => (
              <div className="col-span-full grid grid-cols-subgrid" key={label}>
                <dt className="wrap-break-word text-soft">{label}</dt>
                <dd className={`${given} ${index === 0 ? 'font-semibold' : ''}`}>{value}</dd>
              </div>
            ))}
          </dl>
        </header>

        <div className="mt-10 grid gap-8 hand:grid-cols-2 print:mt-6">
          {invoice.parties.map(({ heading, name, lines }) => (
            <section className="min-w-0 text-note" key={heading}>
              <h2 className="text-soft">{heading}</h2>
              <p className={`mt-1 font-semibold ${given}`}>{name}</p>
              {lines.map((line) => (
                <p className={given} key={line}>
                  {line}
                </p>
              ))}
            </section>
          ))}
        </div>

        <table className="mt-10 w-full border-collapse text-note print:mt-6">
          <thead>
            <tr className="border-ink border-b align-bottom">
              <th className="py-2.5 print:py-1 text-start font-medium" scope="col">
                {columns.description}
              </th>
              {roomy.map((column) => (
                <th className={`${roomyCell} font-medium`} key={column} scope="col">
                  {columns[column]}
                </th>
              ))}
              <th className="py-2.5 print:py-1 ps-4 text-end font-medium" scope="col">
                {columns.amount}
              </th>
            </tr>
          </thead>
          <tbody>
            {invoice.lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a snapshot keep their order and can be equal
              <tr className="break-inside-avoid border-line border-b align-top" key={index}>
                <td className="py-2.5 print:py-1">
                  <span className={`block whitespace-pre-line ${given}`}>{line.description}</span>
                  {line.notes.map((note) => (
                    <span className={`block text-soft ${given}`} key={note}>
                      {note}
                    </span>
                  ))}
                  <span className="wrap-anywhere block text-soft wide:hidden print:hidden">{`${line.quantity} × ${line.unitPrice} · ${line.tax}`}</span>
                </td>
                {roomy.map((column) => (
                  <td className={roomyCell} key={column}>
                    {line[column]}
                  </td>
                ))}
                <td className="whitespace-nowrap py-2.5 print:py-1 ps-4 text-end">{line.amount}</td>
              </tr>
            ))}
          </tbody>
        </table>

        <div className="mt-5 flex flex-wrap items-start justify-between gap-x-10 gap-y-4 text-note">
          <p className="max-w-56 text-soft max-hand:order-1">{invoice.netNote}</p>
          <dl className="ms-auto grid min-w-[min(18rem,100%)] grow break-inside-avoid gap-2 hand:max-w-sm">
            {invoice.sums.map((sum) => (
              <Sum key={sum.label} {...sum} />
            ))}
            <Sum className="border-ink border-t pt-2 font-semibold text-lead" {...invoice.total} />
          </dl>
        </div>

        <div className="mt-8 grid gap-2 border-line border-t pt-6 text-note print:mt-5 print:pt-4">
          {invoice.closing.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </main>
    </>
  )
}

function Sum({ label, value, className = '' }: InvoiceDocument['total'] & { className?: string }) {
  return (
    <div className={`flex flex-wrap justify-between gap-x-8 ${className}`}>
      <dt className="wrap-anywhere min-w-0 grow basis-24">{label}</dt>
      <dd className="ms-auto whitespace-nowrap">{value}</dd>
    </div>
  )
}

/** Text that a person entered may be one word of hundreds of letters, and may be written from right to left. */
const given = 'wrap-anywhere text-left [unicode-bidi:plaintext]'

/** Columns that fit only on a full page. On a narrower screen, their figures are below the description. */
const roomy = ['quantity', 'unitPrice', 'tax'] as const
const roomyCell = 'whitespace-nowrap py-2.5 print:py-1 ps-4 text-end not-print:max-wide:hidden'
