import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { AreaField } from '@/components/ui/field.tsx'
import type { AdminPaymentLinkPage } from '@/lib/modules/payment-links/page.ts'
import { DataTable } from './data-table.tsx'
import { Id } from './id.tsx'
import { languageName } from './language-field.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Name } from './name.tsx'
import { Facts, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { PaymentLinkBadge } from './payment-links.tsx'
import { adminText as t } from './text.ts'

const done = {
  created: 'paymentLinks.done.created',
  ended: 'paymentLinks.done.ended',
  reopened: 'paymentLinks.done.reopened',
} as const

interface Props {
  page: AdminPaymentLinkPage
  path: string
  outcome: FormResult
}

export function PaymentLink({ page, path, outcome }: Props) {
  const { link, sales, formKey } = page
  return (
    <>
      <FormResultNotice {...outcome} texts={done} />
      <p>
        <a href={`${path}/payment-links`}>{t('storefront.nav.payment-links')}</a>
      </p>
      <Heading note={<Id id={link.id} />}>
        <bdi>{link.name}</bdi>
      </Heading>
      <Facts
        facts={[
          ['status', <PaymentLinkBadge active={link.active} key="status" />],
          ['paymentLinks.address', <Id id={link.url} key="url" />],
          ['checkouts.fields.redirectUrlSuccess', link.redirectUrlSuccess ?? t('paymentLinks.donePage')],
          ['checkouts.fields.locale', link.locale ? languageName(link.locale) : t('checkouts.anyLanguage')],
          ['created', <Moment at={link.createdAt} key="created" />],
        ]}
      />
      <Section id="sales" label="paymentLinks.sales">
        <DataTable
          columns={[
            { label: 'paymentLinks.currency', cell: ({ total }) => total.currency },
            { label: 'paymentLinks.orders', isAmount: true, cell: ({ orders }) => orders },
            { label: 'paymentLinks.revenue', isAmount: true, cell: ({ total }) => <Money amount={total} /> },
          ]}
          empty="paymentLinks.noSales"
          keyOf={({ total }) => total.currency}
          label={t('paymentLinks.sales')}
          rows={sales}
        />
      </Section>
      <Items page={page} path={path} />
      <Sharing page={page} />
      {formKey && <EndOrReopen action={`${path}/payment-links/${link.id}/submit`} formKey={formKey} link={link} />}
    </>
  )
}

function Items({ page: { link, names }, path }: Pick<Props, 'page' | 'path'>) {
  return (
    <Section id="items" label="checkouts.lines">
      <DataTable
        columns={[
          {
            label: 'checkouts.product',
            cell: ({ id }) => (
              <a href={`${path}/catalog/${id}`}>
                <Name>{names[id] ?? id}</Name>
              </a>
            ),
          },
          {
            label: 'checkouts.fields.quantity',
            cell: ({ quantity, minQuantity: min, maxQuantity: max }) =>
              min === null || max === null ? quantity : t('paymentLinks.range', { min, max, quantity }),
          },
          { label: 'checkouts.fields.trialDays', isAmount: true, cell: ({ trialDays }) => trialDays },
          {
            label: 'checkouts.fields.price',
            isAmount: true,
            cell: ({ price }) => (price ? <Money amount={price} /> : t('paymentLinks.catalogPrice')),
          },
        ]}
        empty="storefront.nothing"
        keyOf={({ id, position }) => `${position} ${id}`}
        label={t('checkouts.lines')}
        rows={link.items.map((item, position) => ({ ...item, position }))}
      />
    </Section>
  )
}

function Sharing({ page: { link, qrCode, buttonHtml } }: Pick<Props, 'page'>) {
  const file = (extension: string) => `payment-link-${link.id.slice(-8)}.${extension}`
  return (
    <>
      <Section id="qr-code" label="paymentLinks.qrCode">
        <div className="mt-4 flex flex-wrap items-center gap-6">
          {/* biome-ignore lint/performance/noImgElement: a data URL needs no image optimization */}
          <img alt={t('paymentLinks.qrCodeOf', { url: link.url })} className="size-40 rounded-box" src={qrCode.svg} />
          <p className="grid gap-2">
            <a className={secondaryButton} download={file('svg')} href={qrCode.svg}>
              {t('paymentLinks.downloadSvg')}
            </a>
            <a className={secondaryButton} download={file('png')} href={qrCode.png}>
              {t('paymentLinks.downloadPng')}
            </a>
          </p>
        </div>
      </Section>
      <Section id="button" label="paymentLinks.button">
        <div className="mt-4 grid max-w-2xl justify-items-start gap-2 *:w-full">
          <AreaField
            defaultValue={buttonHtml}
            hint={t('paymentLinks.buttonHint')}
            label={t('paymentLinks.buttonHtml')}
            name="html"
            readOnly
          />
          <p>
            <button
              className={`${secondaryButton} [@media(scripting:none)]:hidden`}
              data-copy={buttonHtml}
              type="button"
            >
              {t('paymentLinks.copyHtml')}
            </button>
          </p>
        </div>
      </Section>
    </>
  )
}

interface EndProps {
  link: AdminPaymentLinkPage['link']
  action: string
  formKey: string
}

function EndOrReopen({ link, action, formKey }: EndProps) {
  const key = <input name="key" type="hidden" value={formKey} />
  if (!link.active)
    return (
      <Section id="reopen" label="paymentLinks.reopen">
        <form action={action} className="mt-2 grid justify-items-start gap-2" method="post">
          {key}
          <p className="text-soft">{t('paymentLinks.reopenHint')}</p>
          <button className={secondaryButton} name="intent" type="submit" value="reopen">
            {t('paymentLinks.reopenNow')}
          </button>
        </form>
      </Section>
    )
  return (
    <details className="mt-6">
      <summary className={linkButton}>{t('paymentLinks.end')}</summary>
      <form action={action} className="mt-2 grid justify-items-start gap-2" method="post">
        {key}
        <p className="text-soft">{t('paymentLinks.endHint')}</p>
        <button className={secondaryButton} name="intent" type="submit" value="end">
          {t('paymentLinks.endNow')}
        </button>
      </form>
    </details>
  )
}
