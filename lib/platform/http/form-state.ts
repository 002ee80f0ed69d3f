import { randomBase62 } from '../crypto/identity.ts'
import { seal, unseal } from '../crypto/sealed.ts'
import { log } from '../log.ts'
import { cookieOf, sessionCookie } from './cookies.ts'

export interface FormState {
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly secret?: string
}

export interface Next {
  readonly redirectTo: string
  readonly cookie?: string
}

const cookieName = '__Host-billhook-form'
const keptSeconds = 120
/**
 * The maximum size of the form state. A browser stores cookies of up to 4,096 bytes, and base64 makes the encrypted
 * state longer by a third.
 */
const mostBytes = 2_800

export const emptyState: FormState = { typed: {}, problems: {} }

/**
 * Redirects to `page` and stores the form's state in an encrypted cookie for two minutes, so that neither the URL nor
 * the database contains it. `owner` is the id of the person or session that may read the state, or the path of a page
 * without log-in. If the state does not fit into a cookie, the longest values are dropped.
 */
export function leaveFor(owner: string, page: string, state: FormState): Next {
  const id = randomBase62(12)
  const sealed = Buffer.from(seal(JSON.stringify(fitting(withoutLong(state))), placeOf(owner, id))).toString(
    'base64url',
  )
  return {
    redirectTo: `${page}${page.includes('?') ? '&' : '?'}form=${id}`,
    cookie: `${sessionCookie(cookieName, sealed, 'Strict')}; Max-Age=${keptSeconds}`,
  }
}

/** Returns the stored form state, or an empty state if the owner differs or two minutes have passed. */
export function formStateOf(owner: string, id: string | null, cookies: string | null): FormState {
  const sealed = id === null ? null : cookieOf(cookies, cookieName)
  if (!sealed) return emptyState
  try {
    return JSON.parse(unseal(Buffer.from(sealed, 'base64url'), placeOf(owner, id ?? '')))
  } catch {
    log.debug({ id }, 'the stored form values belong to a different page')
    return emptyState
  }
}

const placeOf = (owner: string, id: string) => `form_state|${owner}|${id}`

/**
 * Drops values that are too long for a cookie. This fast step comes first, because `fitting` serializes the whole state
 * again after each dropped value.
 */
const withoutLong = (state: FormState): FormState => ({
  ...state,
  typed: Object.fromEntries(Object.entries(state.typed).filter(([, text]) => text.length <= mostBytes)),
})

function fitting(state: FormState): FormState {
  if (Buffer.byteLength(JSON.stringify(state)) <= mostBytes) return state
  const [longest] = Object.entries(state.typed).sort(([, a], [, b]) => b.length - a.length)
  if (!longest) return { ...state, problems: {} }
  const { [longest[0]]: _, ...typed } = state.typed
  return fitting({ ...state, typed })
}
