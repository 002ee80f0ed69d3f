import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { Field, FieldError, Select, SelectField } from '@/components/ui/field.tsx'
import { type InvitationRow, type MemberRow, type MembersPage, memberRoles } from '@/lib/modules/operators/page.ts'
import { CodeField } from './code-field.tsx'
import { DataTable, Export } from './data-table.tsx'
import { FormProblems } from './form-problems.tsx'
import { LanguageField } from './language-field.tsx'
import { Moment } from './moment.tsx'
import { type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

const done = {
  invited: 'members.done.invited',
  withdrawn: 'members.done.withdrawn',
  changed: 'members.done.changed',
  removed: 'members.done.removed',
} as const

export function Members({ page, path, outcome }: { page: MembersPage; path: string; outcome: FormResult }) {
  const { merchant, members, invitations, typed, problems, formKey } = page
  const action = `${path}/members/submit`
  // A form that changes a member has the field `id`. The invitation form does not have this field.
  const isInvitation = typed.id === undefined
  const invited = isInvitation ? typed : {}
  const wrong = isInvitation ? problems : {}
  const changed = members.find(({ id }) => id === typed.id)
  const { code: wrongCode, ...others } = problems
  const refusedChange = changed && Object.values(others)[0]
  return (
    <>
      <FormResultNotice {...outcome} texts={done} />
      {changed ? (
        <FormProblems
          form={roleField(changed)}
          labels={{
            [roleField(changed)]: t('members.roleOf', { email: changed.email }),
            [codeField(changed)]: t('secondFactor.code'),
          }}
          problems={{ [roleField(changed)]: refusedChange, [codeField(changed)]: wrongCode }}
        />
      ) : (
        <FormProblems
          form="invite"
          labels={{
            email: t('members.email'),
            role: t('members.role'),
            language: t('language'),
            code: t('secondFactor.code'),
          }}
          problems={problems}
        />
      )}
      <Heading note={t('members.text')}>{t('members.heading', { merchant })}</Heading>
      <DataTable
        columns={[
          {
            label: 'members.email',
            cell: ({ email, isSelf }) => `${email}${isSelf ? ` (${t('members.self')})` : ''}`,
          },
          { label: 'members.role', cell: ({ role }) => t(`members.roleNames.${role}`) },
          { label: 'members.since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          {
            label: 'members.secondFactor',
            cell: ({ hasSecondFactor }) => t(hasSecondFactor ? 'members.isSetUp' : 'members.isNotSetUp'),
          },
          {
            label: 'action',
            cell: (row) => (
              <Change
                action={action}
                formKey={formKey}
                problem={row === changed ? refusedChange : undefined}
                wrongCode={row === changed ? wrongCode : undefined}
                row={row}
              />
            ),
          },
        ]}
        empty="members.empty"
        keyOf={({ id }) => id}
        label={t('storefront.nav.members')}
        rows={members}
      />
      <div className="mt-4 flex justify-end">
        <Export {...page} />
      </div>
      <Section id="invitations" label="members.invitations">
        <DataTable
          columns={[
            { label: 'members.email', cell: ({ email }) => email },
            { label: 'members.role', cell: ({ role }) => t(`members.roleNames.${role}`) },
            {
              label: 'members.until',
              cell: ({ expiresAt, isExpired }) => (isExpired ? t('members.expired') : <Moment at={expiresAt} />),
            },
            { label: 'action', cell: (row) => <Withdraw action={action} formKey={formKey} row={row} /> },
          ]}
          empty="members.noInvitations"
          keyOf={({ id }) => id}
          label={t('members.invitations')}
          rows={invitations}
        />
      </Section>
      <Section id="invite" label="members.invite">
        <p className="mt-1 max-w-2xl text-soft">{t('members.inviteText')}</p>
        <form action={action} className="mt-4 grid max-w-xl gap-4" method="post">
          <input name="key" type="hidden" value={formKey} />
          <Field
            autoComplete="off"
            defaultValue={invited.email ?? ''}
            error={wrong.email}
            label={t('members.email')}
            maxLength={254}
            name="email"
            required
            type="email"
          />
          <SelectField
            defaultValue={invited.role ?? 'developer'}
            error={wrong.role}
            label={t('members.role')}
            name="role"
          >
            {memberRoles.map((role) => (
              <option key={role} value={role}>
                {t(`members.roles.${role}`)}
              </option>
            ))}
          </SelectField>
          <LanguageField
            defaultValue={invited.language ?? 'en'}
            error={wrong.language}
            hint={t('members.languageHint')}
          />
          <CodeField error={wrong.code} hint={t('members.codeHint')} />
          <p>
            <button className={secondaryButton} name="intent" type="submit" value="invite">
              {t('members.send')}
            </button>
          </p>
        </form>
      </Section>
    </>
  )
}

const roleField = ({ id }: MemberRow) => `role-${id}`
const codeField = ({ id }: MemberRow) => `code-${id}`

interface ChangeProps {
  row: MemberRow
  action: string
  formKey: string
  problem: string | undefined
  wrongCode: string | undefined
}

/** The form is collapsed to prevent accidental clicks, because a new role and a removal take effect immediately. */
const Change = ({ row, action, formKey, problem, wrongCode }: ChangeProps) => (
  <details open={problem !== undefined || wrongCode !== undefined}>
    <summary aria-label={`${t('members.change')}: ${row.email}`} className={linkButton}>
      {t('members.change')}
    </summary>
    <form action={action} className="grid max-w-xs gap-2" method="post">
      <input name="key" type="hidden" value={formKey} />
      <input name="id" type="hidden" value={row.id} />
      <Select
        aria-describedby={problem && `${roleField(row)}-error`}
        aria-invalid={problem ? true : undefined}
        aria-label={t('members.roleOf', { email: row.email })}
        defaultValue={row.role}
        id={roleField(row)}
        name="role"
      >
        {memberRoles.map((each) => (
          <option key={each} value={each}>
            {t(`members.roles.${each}`)}
          </option>
        ))}
      </Select>
      {problem && <FieldError id={`${roleField(row)}-error`}>{problem}</FieldError>}
      <CodeField error={wrongCode} hint={t('members.codeHint')} id={codeField(row)} />
      <button className={secondaryButton} name="intent" type="submit" value="role">
        {t('members.changeRole')}
      </button>
      <button className={secondaryButton} name="intent" type="submit" value="remove">
        {t('members.remove')}
      </button>
      <p className="text-soft">{t('members.removeHint')}</p>
    </form>
  </details>
)

const Withdraw = ({ row, action, formKey }: { row: InvitationRow; action: string; formKey: string }) => (
  <form action={action} method="post">
    <input name="key" type="hidden" value={formKey} />
    <input name="id" type="hidden" value={row.id} />
    <button
      aria-label={t('members.withdrawFor', { email: row.email })}
      className={linkButton}
      name="intent"
      type="submit"
      value="withdraw"
    >
      {t('members.withdraw')}
    </button>
  </form>
)
