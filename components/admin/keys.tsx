import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type { KeyRow, KeysPage } from '@/lib/modules/accounts/page.ts'
import { CodeField } from './code-field.tsx'
import { DataTable, Export } from './data-table.tsx'
import { FormProblems } from './form-problems.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { ScopeField } from './scope-field.tsx'
import { adminText as t } from './text.ts'

export function Keys({ page, path, outcome }: { page: KeysPage; path: string; outcome: FormResult }) {
  const { keys, issued, scopes, expiresIn, problems, typed, formKey, isOnHold, needsCode } = page
  const changed = keys.find(({ id }) => id === typed.id)
  const wrong = changed ? {} : problems
  const action = `${path}/keys/submit`
  return (
    <>
      <FormResultNotice
        {...outcome}
        texts={{ issued: 'keys.done.issued', revoked: 'keys.done.revoked', renamed: 'keyNames.renamed' }}
      />
      <FormProblems
        form="issue"
        labels={{
          scope: t('keys.scope'),
          [nameField(changed)]: t('keyNames.name'),
          expiresIn: t('keys.expiresIn'),
          [codeField(changed)]: t('secondFactor.code'),
        }}
        problems={{
          ...wrong,
          name: undefined,
          code: undefined,
          [nameField(changed)]: problems.name,
          [codeField(changed)]: problems.code,
        }}
      />
      {issued && (
        <div className="mb-6 rounded-box border border-done bg-done-tint p-4">
          <p className="font-semibold" id="issued">
            {t('keys.issued')}
          </p>
          <p className="my-2">
            <Id id={issued} />
          </p>
          <p className="text-note">{t('keys.issuedText')}</p>
        </div>
      )}
      <Heading note={t('keys.text')}>{t('storefront.nav.keys')}</Heading>
      <DataTable
        columns={[
          {
            label: 'keys.key',
            cell: ({ name, hint }) => (
              <>
                <span className="block">{name === null ? t('keyNames.none') : <Name>{name}</Name>}</span>
                <code className="font-normal">{hint}…</code>
              </>
            ),
          },
          { label: 'status', cell: stateOf },
          { label: 'keys.scope', cell: ({ scope }) => t(`keys.scopes.${scope}`) },
          { label: 'created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          {
            label: 'keys.lastUsedAt',
            cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : t('keyNames.never')),
          },
          { label: 'keys.expiresAt', cell: ({ expiresAt }) => expiresAt && <Moment at={expiresAt} /> },
          {
            label: 'action',
            cell: (row) => (
              <>
                {!isOnHold && (
                  <Rename
                    action={action}
                    formKey={formKey}
                    problem={row === changed ? problems.name : undefined}
                    row={row}
                    typed={row === changed ? typed.name : undefined}
                  />
                )}
                {!row.isOver && (
                  <Actions action={action} problem={row === changed ? problems.code : undefined} row={row} {...page} />
                )}
              </>
            ),
          },
        ]}
        empty={isOnHold ? 'keys.emptyOnHold' : 'keys.empty'}
        keyOf={({ id }) => id}
        label={t('storefront.nav.keys')}
        rows={keys}
      />
      <div className="mt-4 flex justify-end">
        <Export {...page} />
      </div>
      <Section id="issue" label="keys.issue">
        {isOnHold ? (
          <p className="mt-2">{t('keys.onHold')}</p>
        ) : (
          <form action={action} className="mt-4 grid max-w-xl gap-4" method="post">
            <input name="key" type="hidden" value={formKey} />
            <Field
              autoComplete="off"
              defaultValue={changed ? '' : typed.name}
              error={wrong.name}
              hint={t('keyNames.hint')}
              label={t('keyNames.name')}
              maxLength={60}
              name="name"
            />
            <ScopeField chosen={typed.scope} error={wrong.scope} scopes={scopes} />
            <Field
              autoComplete="off"
              defaultValue={expiresIn}
              error={wrong.expiresIn}
              hint={t('keys.expiresInHint')}
              label={t('keys.expiresIn')}
              maxLength={100}
              name="expiresIn"
            />
            {needsCode && <CodeField error={wrong.code} hint={t('keys.codeHint')} />}
            <p>
              <button className={secondaryButton} name="intent" type="submit" value="issue">
                {t('keys.issue')}
              </button>
            </p>
          </form>
        )}
      </Section>
    </>
  )
}

const stateOf = ({ isOver, revokedAt }: KeyRow) =>
  t(revokedAt ? 'keys.states.revoked' : isOver ? 'keys.states.expired' : 'keys.states.valid')

const codeField = (row: KeyRow | undefined) => (row ? `code-${row.id}` : 'code')

const nameField = (row: KeyRow | undefined) => (row ? `name-${row.id}` : 'name')

interface RenameProps extends Pick<KeysPage, 'formKey'> {
  readonly problem: string | undefined
  readonly typed: string | undefined
  readonly row: KeyRow
  readonly action: string
}

const Rename = ({ row, action, formKey, problem, typed }: RenameProps) => (
  <details open={problem !== undefined}>
    <summary className={linkButton}>{t('keyNames.rename')}</summary>
    <form action={action} className="grid max-w-xs gap-2" method="post">
      <input name="key" type="hidden" value={formKey} />
      <input name="id" type="hidden" value={row.id} />
      <Field
        autoComplete="off"
        defaultValue={typed ?? row.name ?? ''}
        error={problem}
        id={nameField(row)}
        label={t('keyNames.name')}
        maxLength={60}
        name="name"
      />
      <button className={secondaryButton} name="intent" type="submit" value="rename">
        {t('keyNames.save')}
      </button>
    </form>
  </details>
)

interface ActionsProps extends Pick<KeysPage, 'formKey' | 'isOnHold' | 'needsCode'> {
  readonly problem: string | undefined
  readonly row: KeyRow
  readonly action: string
}

/**
 * The actions on a key are collapsed to prevent accidental clicks, because each action stops the programs that use the
 * key.
 */
const Actions = ({ row, action, formKey, isOnHold, needsCode, problem }: ActionsProps) => (
  <details open={problem !== undefined}>
    <summary className={linkButton}>{t(isOnHold || !row.mayReplace ? 'keys.endOnly' : 'keys.end')}</summary>
    <form action={action} className="grid max-w-xs gap-2" method="post">
      <input name="key" type="hidden" value={formKey} />
      <input name="id" type="hidden" value={row.id} />
      {!isOnHold && !row.mayReplace && <p className="text-soft">{t('keys.scopeBeyondRole')}</p>}
      {!isOnHold && row.mayReplace && (
        <>
          {needsCode && <CodeField error={problem} hint={t('keys.codeHint')} id={codeField(row)} />}
          <button className={secondaryButton} name="intent" type="submit" value="rotate">
            {t('keys.rotate')}
          </button>
          <p className="text-soft">{t('keys.rotateHint')}</p>
        </>
      )}
      <button className={secondaryButton} formNoValidate name="intent" type="submit" value="revoke">
        {t('keys.revoke')}
      </button>
      <p className="text-soft">{t('keys.revokeHint')}</p>
    </form>
  </details>
)
