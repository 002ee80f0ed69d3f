import { toWire } from '../kernel/moment.ts'
import { isStorableText } from '../kernel/text.ts'
import { notesOf } from '../modules/customers/note-store.ts'
import { addNote, deleteNote } from '../modules/customers/notes.ts'
import type { CustomerNotes } from '../modules/customers/page.ts'
import { mostNotes, mostOfNote, noteText } from '../modules/customers/rules/note.ts'
import { type Customer, findCustomer } from '../modules/customers/store.ts'
import { db } from '../platform/db/db.ts'
import { type Access, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once, refused } from './act.ts'
import { formState, type Next } from './form-state.ts'

/** Owners and staff can delete notes of every author. Other members can delete only notes that they wrote. */
const deletesAll = ({ role }: Access): boolean => role === null || role === 'owner'

/** The notes on the page of a customer. `form` is the id of the stored form result. */
export async function customerNotesOn(
  access: Access,
  { id, erasedAt }: Customer,
  form: string | null,
): Promise<CustomerNotes> {
  const notes = await notesOf(db(), access.tenant, id)
  const { typed, problems } = formState(access, form, access.cookies)
  const mayDelete = access.mayDo('customer_note.delete')
  return {
    notes: notes.map(({ id: noteId, text, author, createdAt }) => ({
      id: noteId,
      text,
      author: author.email,
      createdAt: toWire(createdAt),
      mayDelete: mayDelete && (deletesAll(access) || author.id === access.actor.id),
      formKey: newFormKey(),
    })),
    mayAdd: access.mayDo('customer_note.create') && erasedAt === null && notes.length < mostNotes,
    isFull: notes.length >= mostNotes,
    most: mostNotes,
    mostCharacters: mostOfNote,
    typed: typed.text ?? '',
    problem: problems.text ?? null,
    url: `${access.path}/customers/${id}/notes/submit`,
    formKey: newFormKey(),
  }
}

export async function submitCustomerNotes(
  place: StorefrontPath,
  id: string,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const intent = values.get('intent')
  const access = await accessToForm(place, 'customers/[id]/notes', intent, cookies)
  if (!access || !(await findCustomer(db(), access.tenant, id))) return null
  const page = `${access.path}/customers/${id}`
  if (intent === 'add-note') return add(access, page, id, values)
  return intent === 'delete-note' ? remove(access, page, id, values) : { redirectTo: page }
}

async function add(access: Access, page: string, customerId: string, values: URLSearchParams): Promise<Next> {
  const text = values.get('text') ?? ''
  const author = { id: access.actor.id, email: access.role === null ? null : access.email }
  const refusal = await once(
    access,
    values,
    {
      action: 'customer_note.create',
      subject: customerId,
      path: '/admin/customer-notes/create',
      content: [customerId, text],
      after: (note) => ({ note }),
      check: async () => noteText(text),
    },
    (context) => addNote(context, { customerId, text, author }),
  )
  return refusal ? refused(access, { page, values }, refusal) : { redirectTo: `${page}?done=noteAdded#notes` }
}

async function remove(access: Access, page: string, customerId: string, values: URLSearchParams): Promise<Next> {
  const id = values.get('note') ?? ''
  const by = deletesAll(access) ? null : access.actor.id
  if (!isStorableText(id)) return { redirectTo: page }
  const refusal = await once(
    access,
    values,
    {
      action: 'customer_note.delete',
      subject: customerId,
      path: '/admin/customer-notes/delete',
      content: [customerId, id],
      after: () => ({ note: id }),
    },
    (context) => deleteNote(context, { customerId, id, by }),
  )
  return { redirectTo: refusal ? `${page}?failed=${refusal.code}` : `${page}?done=noteDeleted#notes` }
}
