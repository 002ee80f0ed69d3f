import { secondaryButton } from '@/components/ui/button.ts'
import type { AdminList, FilteredList } from '@/lib/kernel/list.ts'
import type { EmailPage, EmailRow } from '@/lib/modules/emails/page.ts'
import { StatusBadge } from './badges.tsx'
import { type Column, DataTable, Pager } from './data-table.tsx'
import { Id, RowLink } from './id.tsx'
import { languageName } from './language-field.tsx'
import { EmptyList, ListTools } from './list-tools.tsx'
import { mentioned } from './mentioned.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { Facts, FilterTabs, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

const recipient: Column<EmailRow> = { label: 'emails.to', onPhone: 'bare', cell: ({ to }) => <Name>{to}</Name> }

export function EmailTable({
  emails,
  path,
  list,
  knownAddress,
}: {
  emails: readonly EmailRow[]
  path: string
  /** The address that the page already shows. The table leaves out the address column if all emails went to this address. */
  knownAddress?: string
  /** The filters and links of the list. Absent if the table is a section of another page. */
  list?: AdminList<EmailRow>
}) {
  return (
    <DataTable
      columns={[
        {
          label: 'emails.kind',
          cell: ({ id, kind }) => <RowLink href={`${path}/emails/${id}`} text={t(`emailKinds.names.${kind}`)} />,
        },
        ...(emails.some(({ to }) => to !== knownAddress) ? [recipient] : []),
        { label: 'emails.language', onPhone: 'bare', cell: ({ locale }) => languageName(locale) },
        {
          label: 'status',
          onPhone: 'corner',
          cell: ({ status, returned, isResend }) => (
            <StatusBadge
              status={returned ?? status}
              text={`${t(`statuses.${returned ?? status}`)}${isResend ? ` (${t('emails.resend')})` : ''}`}
            />
          ),
        },
        { label: 'created', sort: 'date', cell: ({ createdAt }) => <Moment at={createdAt} /> },
      ]}
      dates={list?.dates}
      empty={<EmptyList docs="merchants/invoices" list={list} none="lists.none.emails" text="emails.empty" />}
      keyOf={({ id }) => id}
      label={t('storefront.nav.emails')}
      rows={emails}
    />
  )
}

export function Emails({ list, path }: { list: FilteredList<EmailRow>; path: string }) {
  return (
    <>
      <Heading>{t('storefront.nav.emails')}</Heading>
      <p className="mt-2">
        <a href={`${path}/emails/kinds`}>{t('emailKinds.link')}</a>
      </p>
      <FilterTabs
        filter={list.filter}
        textOf={(status) => t(`statuses.${status as EmailRow['status']}`)}
        url={`${path}/emails`}
      />
      <ListTools dates={list.dates} />
      <EmailTable emails={list.rows} list={list} path={path} />
      <Pager {...list} />
    </>
  )
}

export function Email({ page, path, outcome }: { page: EmailPage; path: string; outcome: FormResult }) {
  return (
    <>
      <FormResultNotice {...outcome} texts={{ resent: 'emails.resent', lifted: 'emails.lifted' }} />
      <Heading note={<Id id={page.id} />}>{page.subject}</Heading>
      <Facts
        facts={[
          ['emails.kind', t(`emailKinds.names.${page.kind}`)],
          ['emails.to', page.to],
          ['emails.language', languageName(page.locale)],
          ['status', t(`emails.outcomes.${page.outcome}`)],
          ['deliveries.why', page.lastError],
          ['created', <Moment at={page.createdAt} key="created" />],
          ...mentioned(path, page),
        ]}
      />
      {page.suppressed.length > 0 && (
        <Section id="suppressed" label="emails.suppressed">
          <ul className="mt-2 grid gap-1">
            {page.suppressed.map(({ cause, reason, noticedAt }) => (
              <li key={cause}>
                {t(`emails.causes.${cause}`)} <Moment at={noticedAt} />
                {reason && <span className="block text-note text-soft">{reason}</span>}
              </li>
            ))}
          </ul>
          {page.mayResend && (
            <form action={`${path}/emails/${page.id}/submit`} className="mt-3" method="post">
              <input name="key" type="hidden" value={page.formKey} />
              <button className={secondaryButton} name="intent" type="submit" value="lift">
                {t('emails.lift')}
              </button>
            </form>
          )}
        </Section>
      )}
      <Section id="text" label="emails.text">
        <p
          className="mt-2 max-w-2xl whitespace-pre-wrap rounded-box border border-line bg-paper p-4"
          lang={page.locale}
        >
          {page.text}
        </p>
      </Section>
      {page.mayResend && (
        <form action={`${path}/emails/${page.id}/submit`} className="mt-4" method="post">
          <input name="key" type="hidden" value={page.formKey} />
          <button className={secondaryButton} name="intent" type="submit" value="resend">
            {t('emails.sendAgain')}
          </button>
        </form>
      )}
    </>
  )
}
