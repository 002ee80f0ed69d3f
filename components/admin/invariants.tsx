import { secondaryButton } from '@/components/ui/button.ts'
import type { InvariantsPage } from '@/lib/modules/invariants/page.ts'
import { DataTable } from './data-table.tsx'
import { dayText } from './dates.ts'
import { invariantText, subjectText } from './invariant-text.ts'
import { Moment } from './moment.tsx'
import { type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

export function Invariants({ page, outcome }: { page: InvariantsPage; outcome: FormResult }) {
  const { checkedAt, isRequested, invariants, history } = page
  const broken = invariants.filter(({ brokenBy }) => brokenBy && brokenBy.length > 0)
  return (
    <>
      <FormResultNotice {...outcome} texts={{ requested: 'invariants.requested' }} />
      <Heading note={t('invariants.text')}>{t('invariants.heading')}</Heading>
      {checkedAt === null ? (
        <p className="mt-4">{t('work.unchecked')}</p>
      ) : (
        <p className={`mt-4 font-semibold ${broken.length > 0 ? 'text-wrong' : ''}`}>
          {t(broken.length === 0 ? 'work.hold' : 'work.broken', { count: broken.length })} <Moment at={checkedAt} />
        </p>
      )}
      {isRequested ? (
        <p className="mt-2 text-soft">{t('invariants.isRequested')}</p>
      ) : (
        <form action="/admin/invariants/submit" className="mt-2" method="post">
          <button className={secondaryButton} name="intent" type="submit" value="check">
            {t('invariants.check')}
          </button>
        </form>
      )}
      {broken.length > 0 && (
        <Section id="broken" label="invariants.broken">
          <Table rows={broken} />
        </Section>
      )}
      <Section id="all" label="invariants.all">
        <Groups invariants={invariants} />
      </Section>
      <Section id="history" label="invariants.history">
        <DataTable
          columns={[
            { label: 'invariants.day', cell: ({ day }) => dayText(day) },
            { label: 'invariants.finished', cell: ({ finishedAt }) => <Moment at={finishedAt} /> },
            { label: 'invariants.brokenThen', isAmount: true, cell: ({ broken }) => broken },
          ]}
          empty="invariants.noChecks"
          keyOf={({ day }) => day}
          label={t('invariants.history')}
          rows={history}
        />
      </Section>
    </>
  )
}

function Groups({ invariants }: Pick<InvariantsPage, 'invariants'>) {
  const groups = [...new Set(invariants.map(({ of }) => of))].map((of) => {
    const own = invariants.filter((each) => each.of === of)
    return { of, own, broken: own.filter(({ brokenBy }) => brokenBy && brokenBy.length > 0).length }
  })
  return (
    <DataTable
      columns={[
        { label: 'invariants.subject', cell: ({ of }) => subjectText(of) },
        {
          label: 'invariants.name',
          cell: ({ own }) => (
            <ul className="list-disc ps-5">
              {own.map(({ name }) => (
                <li key={name}>{invariantText(name)}</li>
              ))}
            </ul>
          ),
        },
        {
          label: 'status',
          cell: ({ own, broken }) => {
            if (own[0]?.brokenBy === null) return t('invariants.states.unchecked')
            return broken === 0
              ? t('invariants.states.allHold', { count: own.length })
              : t('invariants.states.someBroken', { count: own.length, broken })
          },
        },
      ]}
      empty="invariants.none"
      keyOf={({ of }) => of}
      label={t('invariants.all')}
      rows={groups}
    />
  )
}

const Table = ({ rows }: { rows: InvariantsPage['invariants'] }) => (
  <DataTable
    columns={[
      { label: 'invariants.name', cell: ({ name }) => invariantText(name) },
      { label: 'invariants.subject', cell: ({ of }) => subjectText(of) },
      { label: 'status', cell: ({ brokenBy }) => <State brokenBy={brokenBy} /> },
    ]}
    empty="invariants.none"
    keyOf={({ of, name }) => `${of} ${name}`}
    label={t('invariants.all')}
    rows={rows}
  />
)

function State({ brokenBy }: { brokenBy: readonly string[] | null }) {
  if (brokenBy === null) return t('invariants.states.unchecked')
  if (brokenBy.length === 0) return t('invariants.states.holds')
  return (
    <>
      <strong className="text-wrong">{t('invariants.states.broken')}</strong>{' '}
      {brokenBy.map((id) => (
        <a
          className="me-2 text-accent underline wrap-anywhere"
          href={`/admin/search?${new URLSearchParams({ q: id })}`}
          key={id}
        >
          {id}
        </a>
      ))}
    </>
  )
}
