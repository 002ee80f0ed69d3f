import { invalid, Refusal } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { transact } from '../events/transact.ts'
import { countNotes, insertNote, removeNote } from './note-store.ts'
import { type Author, mostNotes, noteText } from './rules/note.ts'
import { findCustomer, lockForEmail } from './store.ts'

/**
 * Adds a note and returns its id. Throws `validation_failed` for an invalid text or a customer with 100 notes, `not_found` for an unknown customer, and
 * `illegal_move` for an erased customer.
 */
export function addNote(
  context: RequestContext,
  { customerId, text, author }: { customerId: string; text: string; author: Author },
): Promise<string> {
  return transact(context, async ({ sql, now, newId, ...tenant }) => {
    // Locks the customer, so that concurrent additions cannot exceed the limit of notes. The lock also keeps an erasure
    // from running between the check of `erasedAt` and the insert.
    await lockForEmail(sql, customerId)
    const customer = await findCustomer(sql, tenant, customerId)
    if (!customer) throw new Refusal('not_found')
    if (customer.erasedAt) throw new Refusal('illegal_move')
    if ((await countNotes(sql, customerId)) >= mostNotes)
      throw invalid('text', ruleProblem('notes_at_most', { most: mostNotes }))
    const id = newId('note_')
    await insertNote(sql, tenant, customerId, { id, text: noteText(text), author, createdAt: now })
    return id
  })
}

/** Deletes a note. If `by` is set, the note must be by this author. Throws `not_found` if no such note exists. */
export const deleteNote = (
  context: RequestContext,
  note: { customerId: string; id: string; by: string | null },
): Promise<void> =>
  transact(context, async ({ sql, ...tenant }) => {
    if (!(await removeNote(sql, tenant, note))) throw new Refusal('not_found')
  })
