import { useTranslations } from 'next-intl'
import { countryName, currencyName, day, money, percent, taxName, wholeNumber } from '@/components/format.ts'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { InvoicePage } from '@/lib/invoices/page.ts'

/** An invoice as one sheet of A4, with all that Directive 2006/112/EC, art. 226, asks for. */
export function InvoiceSheet({ invoice }: { invoice: InvoicePage }) {
  const t = useTranslations()
  const { locale, seller, buyer } = invoice
  const issued = day(invoice.issuedAt, locale)
  const named = (name: string) =>
    taxName(name, { vat: t('common.taxNames.vat'), reverseCharge: t('common.taxNames.reverseCharge') })
  return (
    <>
      {invoice.testmode && <TestBand />}
      <main className="mx-auto max-w-[210mm] bg-paper px-5 py-8 hand:px-[18mm] hand:py-[16mm] wide:my-10 wide:min-h-[297mm] wide:shadow-sheet print:m-0 print:min-h-0 print:max-w-none print:p-0 print:shadow-none">
        <header className="grid gap-x-8 gap-y-6 hand:grid-cols-2">
          <div>
            <h1 className="font-semibold text-title tracking-tight">{t('invoice.heading')}</h1>
            {invoice.testmode && <p className="mt-1 max-w-xs font-medium text-note">{t('invoice.testNote')}</p>}
          </div>
          <dl className="grid grid-cols-[minmax(0,1fr)_auto] content-start gap-x-6 gap-y-1 text-note">
            <dt className="text-soft">{t('invoice.number')}</dt>
            <dd className="font-semibold">{invoice.number}</dd>
            <dt className="text-soft">{t('invoice.issuedAt')}</dt>
            <dd>{issued}</dd>
            <dt className="text-soft">{t('invoice.shop')}</dt>
            <dd>{invoice.storefrontName}</dd>
          </dl>
        </header>

        <div className="mt-10 grid gap-8 hand:grid-cols-2 print:mt-6">
          <Party heading={t('invoice.seller')}>
            {[
              seller.name,
              ...seller.addressLines,
              countryName(seller.country, locale),
              seller.vatId && t('common.sellerVatId', { vatId: seller.vatId }),
            ]}
          </Party>
          <Party heading={t('invoice.buyer')}>
            {[
              buyer.companyName ?? buyer.fullName,
              buyer.companyName && buyer.fullName,
              ...buyer.addressLines,
              buyer.country && countryName(buyer.country, locale),
              buyer.taxId && t('invoice.taxId', { taxId: buyer.taxId }),
              buyer.email,
            ]}
          </Party>
        </div>

        <table className="mt-10 w-full border-collapse text-note print:mt-6">
          <thead>
            <tr className="border-ink border-b align-bottom">
              <th className="py-2.5 print:py-1 text-start font-medium" scope="col">
                {t('invoice.description')}
              </th>
              {(['quantity', 'unitPrice', 'tax'] as const).map((column) => (
                <th className={`${roomyCell} font-medium`} key={column} scope="col">
                  {t(`invoice.${column}`)}
                </th>
              ))}
              <th className="py-2.5 print:py-1 ps-4 text-end font-medium" scope="col">
                {t('invoice.amount')}
              </th>
            </tr>
          </thead>
          <tbody>
            {invoice.lines.map((line, index) => {
              const [quantity, unitPrice] = [wholeNumber(line.quantity, locale), money(line.basePrice, locale)]
              const rates = line.taxes.map((tax) => percent(tax.percentage, locale)).join(' + ')
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a snapshot, whose lines never move and may be alike
                <tr className="break-inside-avoid border-line border-b align-top" key={index}>
                  <td className="whitespace-pre-line py-2.5 print:py-1">
                    {line.description}
                    <span className="block text-soft hand:hidden">{`${quantity} × ${unitPrice} · ${rates}`}</span>
                  </td>
                  <td className={roomyCell}>{quantity}</td>
                  <td className={roomyCell}>{unitPrice}</td>
                  <td className={roomyCell}>{rates}</td>
                  <td className="whitespace-nowrap py-2.5 print:py-1 ps-4 text-end">{money(line.subtotal, locale)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>

        <div className="mt-5 flex flex-wrap items-start justify-between gap-x-10 gap-y-4 text-note">
          <p className="max-w-56 text-soft max-hand:order-1">
            {t('invoice.netNote', {
              currency: `${invoice.total.currency} (${currencyName(invoice.total.currency, locale)})`,
            })}
          </p>
          <dl className="grid min-w-72 grow break-inside-avoid gap-2 hand:max-w-sm">
            <Sum amount={money(invoice.subtotal, locale)} label={t('invoice.subtotal')} />
            {invoice.taxes.map((tax) => (
              <Sum
                amount={money(tax.amount, locale)}
                key={`${tax.name} ${tax.percentage}`}
                label={t('invoice.taxOn', {
                  name: named(tax.name),
                  rate: percent(tax.percentage, locale),
                  taxable: money(tax.taxable, locale),
                })}
              />
            ))}
            <Sum
              amount={money(invoice.total, locale)}
              className="border-ink border-t pt-2 font-semibold text-lead"
              label={t('invoice.total')}
            />
          </dl>
        </div>

        <div className="mt-8 grid gap-2 border-line border-t pt-6 text-note print:mt-5 print:pt-4">
          {invoice.reverseCharge && <p className="font-medium">{t('invoice.reverseChargeNote')}</p>}
          <p>
            {invoice.paymentMethod
              ? t('invoice.paidBy', { date: issued, method: t(`common.methods.${invoice.paymentMethod}`) })
              : t('invoice.paid', { date: issued })}
          </p>
        </div>
      </main>
    </>
  )
}

/** Who sells or who buys: the name, then the lines that there are. */
function Party({ heading, children }: { heading: string; children: (string | null)[] }) {
  const [name, ...lines] = children.filter((line) => line)
  return (
    <section className="min-w-0 text-note">
      <h2 className="text-soft">{heading}</h2>
      <p className="mt-1 font-semibold">{name}</p>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </section>
  )
}

function Sum({ label, amount, className = '' }: { label: string; amount: string; className?: string }) {
  return (
    <div className={`flex justify-between gap-8 ${className}`}>
      <dt>{label}</dt>
      <dd className="whitespace-nowrap">{amount}</dd>
    </div>
  )
}

/** A column that a phone has no room for: there its figure stands under the description. */
const roomyCell = 'whitespace-nowrap py-2.5 print:py-1 ps-4 text-end max-hand:hidden'
