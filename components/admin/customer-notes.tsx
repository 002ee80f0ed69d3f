import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { AreaField } from '@/components/ui/field.tsx'
import type { CustomerNotes as Notes } from '@/lib/modules/customers/page.ts'
import { FormProblems } from './form-problems.tsx'
import { Moment } from './moment.tsx'
import { Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

export const customerNoteTexts = {
  noteAdded: 'customerNotes.done.added',
  noteDeleted: 'customerNotes.done.deleted',
} as const

export const NoteProblems = ({ notes: { problem } }: { notes: Notes }) => (
  <FormProblems form="notes" labels={{ text: t('customerNotes.text') }} problems={{ text: problem }} />
)

export const CustomerNotes = ({ notes }: { notes: Notes }) => (
  <Section id="notes" label="customerNotes.heading">
    {notes.notes.length === 0 ? (
      <p className="mt-2 text-soft">{t('customerNotes.empty')}</p>
    ) : (
      <ul className="mt-2 grid max-w-2xl gap-3">
        {notes.notes.map((note) => (
          <Note key={note.id} note={note} url={notes.url} />
        ))}
      </ul>
    )}
    {notes.isFull && <p className="mt-3 text-note text-soft">{t('customerNotes.full', { count: notes.most })}</p>}
    {notes.mayAdd && (
      <form action={notes.url} className="mt-4 grid max-w-2xl gap-3" method="post">
        <input name="key" type="hidden" value={notes.formKey} />
        <AreaField
          defaultValue={notes.typed}
          error={notes.problem ?? undefined}
          hint={t('customerNotes.hint', { count: notes.mostCharacters })}
          label={t('customerNotes.text')}
          maxLength={notes.mostCharacters}
          name="text"
          required
        />
        <p>
          <button className={secondaryButton} name="intent" type="submit" value="add-note">
            {t('customerNotes.add')}
          </button>
        </p>
      </form>
    )}
  </Section>
)

function Note({
  note: { id, text, author, createdAt, mayDelete, formKey },
  url,
}: {
  note: Notes['notes'][number]
  url: string
}) {
  const name = author ?? t('merchantAudit.staff')
  return (
    <li className="rounded-box border border-line bg-paper px-4 py-3">
      <p className="wrap-anywhere whitespace-pre-line">
        <bdi>{text}</bdi>
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 text-note text-soft">
        <bdi>{name}</bdi>
        <Moment at={createdAt} />
        {mayDelete && (
          <form action={url} method="post">
            <input name="key" type="hidden" value={formKey} />
            <input name="note" type="hidden" value={id} />
            <button
              aria-label={t('customerNotes.deleteOf', { author: name })}
              className={linkButton}
              name="intent"
              type="submit"
              value="delete-note"
            >
              {t('customerNotes.delete')}
            </button>
          </form>
        )}
      </div>
    </li>
  )
}
