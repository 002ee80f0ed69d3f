import { randomBase62 } from '../crypto/identity.ts'
import { seal, unseal } from '../crypto/sealed.ts'
import { log } from '../log.ts'
import { cookieOf, sessionCookie } from './cookies.ts'

export interface FormState {
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  /** A newly issued key, which is shown only once. */
  readonly secret?: string
}

export interface Next {
  readonly redirectTo: string
  readonly cookie?: string
}

const cookieName = '__Host-billhook-form'
const keptSeconds = 120
/** A browser keeps 4,096 bytes of a cookie, and base64 makes four bytes of three. */
const mostBytes = 2_800

export const emptyState: FormState = { typed: {}, problems: {} }

/**
 * Redirects to a page and keeps the form's state in an encrypted cookie for two minutes. Neither the address nor the
 * database contains the state. `owner` is the id of the only person or session that can read it; before a log-in, the
 * path of the page. `page` may have a query. If a cookie cannot hold all typed values, the longest are left out.
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

/** The state that the form with this id left for this owner. Empty for another owner, or after its time. */
export function formStateOf(owner: string, id: string | null, cookies: string | null): FormState {
  const sealed = id === null ? null : cookieOf(cookies, cookieName)
  if (!sealed) return emptyState
  try {
    return JSON.parse(unseal(Buffer.from(sealed, 'base64url'), placeOf(owner, id ?? '')))
  } catch {
    log.debug({ id }, 'What a form had left belongs to another page')
    return emptyState
  }
}

const placeOf = (owner: string, id: string) => `form_state|${owner}|${id}`

/** `fitting` measures the whole state for each value that it leaves out, which would take seconds for megabytes. */
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
