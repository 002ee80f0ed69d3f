import { countryName } from '@/components/format.ts'
import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { Field, SelectField } from '@/components/ui/field.tsx'
import type { RegistrationsPage } from '@/lib/modules/tax/page.ts'
import { DataTable } from './data-table.tsx'
import { dayText } from './dates.ts'
import { FormProblems } from './form-problems.tsx'
import { type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminLocale, adminText as t } from './text.ts'

const action = '/admin/registrations/submit'
const schemes = ['local', 'oss', 'ioss'] as const
const fields = ['country', 'region', 'number', 'scheme', 'from', 'until'] as const

type Row = RegistrationsPage['registrations'][number]
const untilField = ({ id }: Row) => `until-${id}`

export function Registrations({ page, outcome }: { page: RegistrationsPage; outcome: FormResult }) {
  const { registrations, typed, problems, formKey } = page
  const ending = registrations.find(({ id }) => id === typed.id)
  const added = ending ? { typed: {}, problems: {} } : page
  const value = (name: (typeof fields)[number]): string => (added.typed as Record<string, string>)[name] ?? ''
  const error = (name: (typeof fields)[number]) => (added.problems as Record<string, string>)[name]
  return (
    <>
      <FormResultNotice {...outcome} texts={{ added: 'registrations.done.added', ended: 'registrations.done.ended' }} />
      <FormProblems
        form="country"
        labels={{
          ...Object.fromEntries(fields.map((name) => [name, t(`registrations.${name}`)])),
          ...(ending && { [untilField(ending)]: t('registrations.until') }),
        }}
        problems={ending ? { [untilField(ending)]: problems.until } : problems}
      />
      <Heading note={t('registrations.text')}>{t('nav.registrations')}</Heading>
      <DataTable
        columns={[
          {
            label: 'registrations.country',
            cell: ({ country, region }) => `${countryName(country, adminLocale())}${region && ` (${region})`}`,
          },
          { label: 'registrations.number', onPhone: 'bare', cell: ({ number }) => number },
          { label: 'registrations.scheme', cell: ({ scheme }) => t(`registrations.schemes.${scheme}`) },
          { label: 'registrations.from', cell: ({ from }) => dayText(from) },
          { label: 'registrations.until', cell: ({ until }) => until && dayText(until) },
          {
            label: 'action',
            onPhone: 'bare',
            cell: (row) =>
              !row.hasEnded && (
                <End
                  formKey={formKey}
                  problem={row === ending ? problems.until : undefined}
                  row={row}
                  typed={row === ending ? typed.until : undefined}
                />
              ),
          },
        ]}
        empty="registrations.empty"
        keyOf={({ id }) => id}
        label={t('nav.registrations')}
        rows={registrations}
      />
      <Section id="add" label="registrations.add">
        <p className="mt-1 max-w-2xl text-soft">{t('registrations.addText')}</p>
        <form action={action} className="mt-4 grid max-w-xl gap-4" method="post">
          <input name="key" type="hidden" value={formKey} />
          <Field
            defaultValue={value('country')}
            error={error('country')}
            hint={t('registrations.countryHint')}
            label={t('registrations.country')}
            maxLength={2}
            name="country"
            required
          />
          <Field
            defaultValue={value('region')}
            error={error('region')}
            hint={t('registrations.regionHint')}
            label={t('registrations.region')}
            maxLength={2}
            name="region"
          />
          <Field
            defaultValue={value('number')}
            error={error('number')}
            label={t('registrations.number')}
            maxLength={50}
            name="number"
            required
          />
          <SelectField
            defaultValue={value('scheme') || 'local'}
            error={error('scheme')}
            label={t('registrations.scheme')}
            name="scheme"
          >
            {schemes.map((scheme) => (
              <option key={scheme} value={scheme}>
                {t(`registrations.schemes.${scheme}`)}
              </option>
            ))}
          </SelectField>
          <Field
            defaultValue={value('from')}
            error={error('from')}
            label={t('registrations.from')}
            name="from"
            required
            type="date"
          />
          <Field
            defaultValue={value('until')}
            error={error('until')}
            hint={t('registrations.untilHint')}
            label={t('registrations.until')}
            name="until"
            type="date"
          />
          <p>
            <button className={secondaryButton} name="intent" type="submit" value="add">
              {t('registrations.add')}
            </button>
          </p>
        </form>
      </Section>
    </>
  )
}

interface EndProps {
  row: Row
  formKey: string
  typed: string | undefined
  problem: string | undefined
}

/** The form is collapsed, so that nobody ends a registration by accident: the last day of a registration decides which tax is charged. */
const End = ({ row, formKey, typed, problem }: EndProps) => (
  <details open={typed !== undefined}>
    <summary aria-label={`${t('registrations.end')}: ${row.country} ${row.number}`} className={linkButton}>
      {t('registrations.end')}
    </summary>
    <form action={action} className="grid max-w-xs gap-2" method="post">
      <input name="key" type="hidden" value={formKey} />
      <input name="id" type="hidden" value={row.id} />
      <Field
        defaultValue={typed ?? row.until ?? ''}
        error={problem}
        id={untilField(row)}
        label={t('registrations.until')}
        name="until"
        required
        type="date"
      />
      <button className={secondaryButton} name="intent" type="submit" value="end">
        {t('registrations.saveEnd')}
      </button>
    </form>
  </details>
)
