import { Badge } from '@/components/ui/badge.tsx'
import { linkButton } from '@/components/ui/button.ts'
import { locales } from '@/lib/kernel/locale.ts'
import type { EmailKindRow, EmailKindsPage, EmailPreviewPage } from '@/lib/modules/emails/page.ts'
import { DataTable } from './data-table.tsx'
import { languageName } from './language-field.tsx'
import { type FormResult, FormResultNotice, Heading, Section, Tabs } from './page-parts.tsx'
import { adminText as t } from './text.ts'

const nameOf = (kind: EmailKindRow['kind']) => t(`emailKinds.names.${kind}`)

export function EmailKinds({ page, path, outcome }: { page: EmailKindsPage; path: string; outcome: FormResult }) {
  const { kinds, maySwitch, formKey } = page
  const action = `${path}/emails/kinds/submit`
  return (
    <>
      <FormResultNotice {...outcome} texts={{ on: 'emailKinds.done.on', off: 'emailKinds.done.off' }} />
      <p>
        <a href={`${path}/emails`}>{t('storefront.nav.emails')}</a>
      </p>
      <Heading note={t('emailKinds.text')}>{t('emailKinds.heading')}</Heading>
      <DataTable
        columns={[
          {
            label: 'emails.kind',
            cell: ({ kind }) => <a href={`${path}/emails/kinds/${kind}`}>{nameOf(kind)}</a>,
          },
          {
            label: 'status',
            onPhone: 'corner',
            cell: ({ isSent }) => (
              <Badge tone={isSent ? 'success' : 'neutral'}>
                {t(isSent ? 'emailKinds.sent' : 'emailKinds.notSent')}
              </Badge>
            ),
          },
          {
            label: 'emailKinds.why',
            cell: ({ required }) => required && t(`emailKinds.reasons.${required}`),
          },
          {
            label: 'action',
            cell: (row) => maySwitch && row.required === null && <Switch action={action} formKey={formKey} row={row} />,
          },
        ]}
        empty="emails.empty"
        keyOf={({ kind }) => kind}
        label={t('emailKinds.heading')}
        rows={kinds}
      />
    </>
  )
}

const Switch = ({ row: { kind, isSent }, action, formKey }: { row: EmailKindRow; action: string; formKey: string }) => (
  <form action={action} method="post">
    <input name="key" type="hidden" value={formKey} />
    <input name="kind" type="hidden" value={kind} />
    <button
      aria-label={t(isSent ? 'emailKinds.switchOffKind' : 'emailKinds.switchOnKind', { kind: nameOf(kind) })}
      className={`${linkButton} whitespace-nowrap`}
      name="intent"
      type="submit"
      value={isSent ? 'off' : 'on'}
    >
      {t(isSent ? 'emailKinds.switchOff' : 'emailKinds.switchOn')}
    </button>
  </form>
)

export function EmailPreview({ page, path }: { page: EmailPreviewPage; path: string }) {
  const { kind, locale, subject, text, htmlUrl } = page
  return (
    <>
      <p>
        <a href={`${path}/emails/kinds`}>{t('emailKinds.heading')}</a>
      </p>
      <Heading note={t('emailKinds.example')}>{nameOf(kind)}</Heading>
      <Tabs
        label={t('emails.language')}
        tabs={locales.map((each) => ({
          url: `${path}/emails/kinds/${kind}?language=${each}`,
          text: languageName(each),
          isOpen: each === locale,
        }))}
      />
      <Section id="text" label="emails.text">
        <p className="mt-2 font-semibold" lang={locale}>
          {subject}
        </p>
        <p className="mt-2 max-w-2xl whitespace-pre-wrap wrap-anywhere" lang={locale}>
          {text}
        </p>
      </Section>
      <p className="mt-4">
        <a href={htmlUrl} rel="noopener" target="_blank">
          {t('emailKinds.html')}
        </a>
      </p>
    </>
  )
}
