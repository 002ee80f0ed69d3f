import { randomBase62 } from '../crypto/identity.ts'
import { seal, unseal } from '../crypto/sealed.ts'
import { log } from '../log.ts'
import { cookieOf, sessionCookie } from './cookies.ts'

/** The state that a submitted form passes to the next page. */
export interface FormState {
  /** The typed values of a refused form, by field. */
  readonly typed: Readonly<Record<string, string>>
  /** The problems, by field. */
  readonly problems: Readonly<Record<string, string>>
  /** A key that was issued, which is shown this once. */
  readonly secret?: string
}

/** Where a form leads, and what the browser is to remember. */
export interface Next {
  readonly redirectTo: string
  readonly cookie?: string
}

const cookieName = '__Host-billhook-form'
const keptSeconds = 120
/** A browser keeps 4,096 bytes of a cookie, and base64 makes four of three. */
const mostBytes = 2_800

/** Of a form that was not sent. */
export const emptyState: FormState = { typed: {}, problems: {} }

/**
 * Leads to a page with what the form has left, sealed in a cookie for two minutes: neither the address nor the database
 * has it. `owner` is the id of the person or session that alone reads it; before a log-in, the path of the page. `page`
 * may have a query. Of what was typed the longest fields are left out where a cookie cannot hold all.
 */
export function leaveFor(owner: string, page: string, state: FormState): Next {
  const id = randomBase62(12)
  const sealed = Buffer.from(seal(JSON.stringify(fitting(state)), placeOf(owner, id))).toString('base64url')
  return {
    redirectTo: `${page}${page.includes('?') ? '&' : '?'}form=${id}`,
    cookie: `${sessionCookie(cookieName, sealed, 'Strict')}; Max-Age=${keptSeconds}`,
  }
}

/** What the form with this id has left for this owner; nothing if it is another one, or was too long ago. */
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

function fitting(state: FormState): FormState {
  if (Buffer.byteLength(JSON.stringify(state)) <= mostBytes) return state
  const [longest] = Object.entries(state.typed).sort(([, a], [, b]) => b.length - a.length)
  if (!longest) return { ...state, problems: {} }
  const { [longest[0]]: _, ...typed } = state.typed
  return fitting({ ...state, typed })
}
