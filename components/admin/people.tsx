import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type { PeoplePage, PersonRow } from '@/lib/modules/operators/page.ts'
import { CodeField } from './code-field.tsx'
import { DataTable } from './data-table.tsx'
import { FormProblems } from './form-problems.tsx'
import { LanguageField } from './language-field.tsx'
import { Moment } from './moment.tsx'
import { type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

const done = {
  invited: 'people.done.invited',
  removed: 'people.done.removed',
  sessionsEnded: 'people.done.sessionsEnded',
  reset: 'people.done.reset',
} as const

const action = '/admin/people/submit'

export function People({ page, outcome }: { page: PeoplePage; outcome: FormResult }) {
  const { people, typed, problems, formKey } = page
  const changed = people.find(({ id }) => id === typed.id)
  const form = typed.language === undefined ? 'reset' : 'invite'
  const of = (name: 'invite' | 'reset'): Pick<PeoplePage, 'typed' | 'problems'> =>
    form === name && !changed ? page : { typed: {}, problems: {} }
  const [invited, reset] = [of('invite'), of('reset')]
  return (
    <>
      <FormResultNotice {...outcome} texts={done} />
      <FormProblems
        form={changed ? codeField(changed) : 'invite'}
        labels={{
          email: t('members.email'),
          'reset-email': t('members.email'),
          language: t('language'),
          code: t('secondFactor.code'),
          'reset-code': t('secondFactor.code'),
          ...(changed && { [codeField(changed)]: t('secondFactor.code') }),
        }}
        problems={changed ? { [codeField(changed)]: problems.code ?? problems.operator } : onPage(form, problems)}
      />
      <Heading note={t('people.text')}>{t('nav.people')}</Heading>
      <DataTable
        columns={[
          {
            label: 'members.email',
            cell: ({ email, isSelf }) => `${email}${isSelf ? ` (${t('members.self')})` : ''}`,
          },
          { label: 'people.since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          {
            label: 'members.secondFactor',
            cell: ({ hasSecondFactor }) => t(hasSecondFactor ? 'members.isSetUp' : 'members.isNotSetUp'),
          },
          { label: 'people.sessions', isAmount: true, cell: ({ openSessions }) => openSessions },
          { label: 'sessions.lastUsed', cell: ({ lastUsedAt }) => lastUsedAt && <Moment at={lastUsedAt} /> },
          {
            label: 'action',
            onPhone: 'bare',
            cell: (row) =>
              !row.isSelf && (
                <Change formKey={formKey} row={row} wrongCode={row === changed ? problems.code : undefined} />
              ),
          },
        ]}
        empty="people.empty"
        keyOf={({ id }) => id}
        label={t('nav.people')}
        rows={people}
      />
      <Section id="invite" label="people.invite">
        <p className="mt-1 max-w-2xl text-soft">{t('people.inviteText')}</p>
        <form action={action} className="mt-4 grid max-w-xl gap-4" method="post">
          <input name="key" type="hidden" value={formKey} />
          <Field
            autoComplete="off"
            defaultValue={invited.typed.email ?? ''}
            error={invited.problems.email}
            label={t('members.email')}
            maxLength={254}
            name="email"
            required
            type="email"
          />
          <LanguageField
            defaultValue={invited.typed.language ?? 'en'}
            error={invited.problems.language}
            hint={t('people.languageHint')}
          />
          <CodeField error={invited.problems.code} hint={t('passkeys.codeHint')} />
          <p>
            <button className={secondaryButton} name="intent" type="submit" value="invite">
              {t('members.send')}
            </button>
          </p>
        </form>
      </Section>
      <Section id="reset" label="people.reset">
        <p className="mt-1 max-w-2xl text-soft">{t('people.resetText')}</p>
        <form action={action} className="mt-4 grid max-w-xl gap-4" method="post">
          <input name="key" type="hidden" value={formKey} />
          <Field
            autoComplete="off"
            defaultValue={reset.typed.email ?? ''}
            error={reset.problems.email}
            id="reset-email"
            label={t('members.email')}
            maxLength={254}
            name="email"
            required
            type="email"
          />
          <CodeField error={reset.problems.code} hint={t('passkeys.codeHint')} id="reset-code" />
          <p>
            <button className={secondaryButton} name="intent" type="submit" value="reset">
              {t('people.resetAction')}
            </button>
          </p>
        </form>
      </Section>
    </>
  )
}

/**
 * The invitation form and the reset form have fields with the same names, so the ids of the reset form have a prefix.
 */
const onPage = (form: 'invite' | 'reset', problems: PeoplePage['problems']): PeoplePage['problems'] =>
  form === 'invite'
    ? problems
    : Object.fromEntries(Object.entries(problems).map(([field, problem]) => [`reset-${field}`, problem]))

const codeField = ({ id }: PersonRow) => `code-${id}`

/**
 * The forms are collapsed by default to prevent accidental clicks, because ending a person's sessions or removing a
 * person takes effect immediately.
 */
const Change = ({ row, formKey, wrongCode }: { row: PersonRow; formKey: string; wrongCode: string | undefined }) => (
  <details open={wrongCode !== undefined}>
    <summary aria-label={`${t('members.change')}: ${row.email}`} className={linkButton}>
      {t('members.change')}
    </summary>
    <div className="grid max-w-xs gap-4">
      <form action={action} method="post">
        <input name="key" type="hidden" value={formKey} />
        <input name="id" type="hidden" value={row.id} />
        <button className={secondaryButton} name="intent" type="submit" value="end-sessions">
          {t('people.endSessions')}
        </button>
      </form>
      <form action={action} className="grid gap-2" method="post">
        <input name="key" type="hidden" value={formKey} />
        <input name="id" type="hidden" value={row.id} />
        <CodeField error={wrongCode} hint={t('people.removeHint')} id={codeField(row)} />
        <button className={secondaryButton} name="intent" type="submit" value="remove">
          {t('members.remove')}
        </button>
      </form>
    </div>
  </details>
)
