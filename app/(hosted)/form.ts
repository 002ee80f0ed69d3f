import { type Untaken, untakenForm, untakenFormPolicy } from '@/components/ui/untaken-form.ts'
import { type HostedPage, hostedPath, leavesSite, particularsOf } from '@/lib/kernel/hosted-pages.ts'
import { type Locale, locales, negotiateLocale } from '@/lib/kernel/locale.ts'
import { parseHttpUrl } from '@/lib/kernel/url.ts'
import { config } from '@/lib/platform/config.ts'
import { secondsToWait } from '@/lib/platform/db/unavailable.ts'
import { busyPage } from '@/lib/platform/http/busy-page.ts'
import { clientAddress } from '@/lib/platform/http/client-address.ts'
import { isOtherSite, isSameOrigin } from '@/lib/platform/http/same-origin.ts'
import { type Visitor, visitorOf } from '@/lib/platform/http/visitor.ts'
import { log } from '@/lib/platform/log.ts'
import { shortError } from '@/lib/platform/short-error.ts'
import { translator } from '@/lib/platform/translate.ts'
import { within } from '@/lib/platform/within.ts'
import { document } from './document.ts'
import { countForm } from './form-limits.ts'
import type { TokenParams } from './open.ts'
import { isSearchable, notStorable } from './storable-form.ts'
import { words } from './words.ts'

/** More than all fields at their limits need. */
const maxBytes = 64 * 1024
/** How many bytes of a too large body are read and discarded. */
const mostDiscarded = 8 * 1024 * 1024
/** More fields than any of our forms has. A form that is not accepted is written out again, field by field. */
const maxFields = 100
/** Longer than the wait for any lock. A form that is processed later takes effect once, also after a repetition. */
const formPatienceMs = 20_000
/** The browser waits eight seconds. */
const quotePatienceMs = 6_000
/** How long a person should wait before a retry when the service does not respond. */
const downSeconds = 5

/** The address that a form leads to, and the cookies to set. */
interface Next {
  readonly redirectTo: string
  readonly cookie?: string
  /** The cookie by which the admin area recognizes the browser later. */
  readonly deviceCookie?: string
}

/**
 * Processes a form and returns its target; null if the link is unknown. Must be safe to repeat, because a form that
 * could not be accepted is sent again.
 */
type Take = (token: string, form: URLSearchParams, buyer: Visitor) => Promise<Next | null>

/**
 * The form routes of a page. The response to a POST is a redirect, or a page that keeps the input. A form from another
 * site is refused with 403.
 */
export const formRoutes = (page: HostedPage, take: Take) => ({
  async POST(request: Request, { params }: TokenParams): Promise<Response> {
    if (isOtherSite(request.headers, config().publicBaseUrl)) return words(request, 403, 'portal.refused')
    const { token } = await params
    return takeForm(request, {
      page,
      counted: countedBy(page, token),
      otherwise: hostedPath(page, token),
      take: (form, buyer) => take(token, form, buyer),
    })
  },

  /** An address bar or a restored tab may come here; the form's page has the current state. */
  async GET(_request: Request, { params }: TokenParams): Promise<Response> {
    return seeOther(hostedPath(page, (await params).token))
  },
})

/** The link that a request is counted by; null for a page that everybody shares. */
const countedBy = (page: HostedPage, token: string): string | null => (particularsOf(page).isShared ? null : token)

interface Form {
  /** The name of the page, for the limits and the log. */
  readonly page: string
  /** The link of the page; null if the page has no link and is counted by address alone. */
  readonly counted: string | null
  /** The target if the body is no form, or if its record is unknown. */
  readonly otherwise: string
  readonly take: (form: URLSearchParams, buyer: Visitor) => Promise<Next | null>
}

async function takeForm(request: Request, { page, counted, otherwise, take }: Form): Promise<Response> {
  const buyer = visitorOf(request.headers)
  const form = await readForm(request)
  const untaken = (why: Untaken) => answerUntaken(why, request, page, form ?? new URLSearchParams(), buyer)
  const waitSeconds = countForm('form', page, counted, request)
  if (waitSeconds !== null) return untaken({ why: 'busy', seconds: waitSeconds })
  try {
    const next = form && (await within(formPatienceMs, take(form, buyer)))
    return seeOther(next?.redirectTo ?? otherwise, next?.cookie, next?.deviceCookie)
  } catch (error) {
    log.error({ error: shortError(error), page }, 'A form of a hosted page could not be taken')
    return untaken({ why: 'down', seconds: secondsToWait(error, downSeconds) })
  }
}

/** Processes a form with the session of a browser. Null redirects to `otherwise`. */
type TakeInSession<Params> = (params: Params, form: URLSearchParams, sender: Sender) => Promise<Next | null>

/** The response to a form without input above the limit of its address; null below the limit. */
export async function refusedAsBusy(page: string, request: Request): Promise<Response | null> {
  const seconds = countForm('form', page, null, request)
  if (seconds === null) return null
  return busyPage(429, { seconds, acceptLanguage: request.headers.get('accept-language') })
}

/** The browser that sent a form. */
interface Sender {
  readonly cookies: string | null
  readonly address: string
  /** The name of the browser, from its User-Agent. */
  readonly name: string
}

/** The form routes of a page behind a session. A form from another site is refused with 403, whatever its cookie. */
export const sessionFormRoutes = <Params extends Record<string, string>>(
  { page, pathOf, otherwise }: { page: string; pathOf: (params: Params) => string; otherwise: string },
  take: TakeInSession<Params>,
) => ({
  async POST(request: Request, context: { params: Promise<Params> }): Promise<Response> {
    if (!isSameOrigin(request.headers, config().publicBaseUrl)) return words(request, 403, 'portal.refused')
    const params = await context.params
    const { headers } = request
    const address = clientAddress(request)
    const sender = { cookies: headers.get('cookie'), address, name: headers.get('user-agent') ?? '' }
    return takeForm(request, {
      page,
      counted: null,
      otherwise,
      take: async (form) => (isSearchable(form) ? take(params, form, sender) : notStorable(pathOf(params))),
    })
  },

  async GET(_request: Request, context: { params: Promise<Params> }): Promise<Response> {
    return seeOther(pathOf(await context.params))
  },
})

interface Upload<Params> {
  readonly page: string
  readonly pathOf: (params: Params) => string
  /** Appended to the page's path if the form is larger than `maxBytes`. */
  readonly tooLarge: string
  readonly maxBytes: number
  /** Whether the sender may send the form. Without permission, the body is not kept in memory. */
  readonly isAllowed: (params: Params, cookies: string | null) => Promise<boolean>
}

/** The result of a form with a file: a target, or a separate document that loads nothing. */
type Uploaded = Next | { readonly html: string }

/** The routes of a form with a file, behind a session. Unlike `sessionFormRoutes` they do not keep the input. */
export const uploadRoutes = <Params extends Record<string, string>>(
  { page, pathOf, tooLarge, maxBytes, isAllowed }: Upload<Params>,
  take: (params: Params, form: FormData, sender: Pick<Sender, 'cookies'>) => Promise<Uploaded | null>,
) => ({
  async POST(request: Request, context: { params: Promise<Params> }): Promise<Response> {
    if (!isSameOrigin(request.headers, config().publicBaseUrl)) return words(request, 403, 'portal.refused')
    const params = await context.params
    const refused = await refusedAsBusy(page, request)
    if (refused) return refused
    const cookies = request.headers.get('cookie')
    // Without a database, `take` fails and reports the failure.
    const isKept = await within(formPatienceMs, isAllowed(params, cookies)).catch(() => true)
    const body = await readAtMost(request, isKept ? maxBytes : 0)
    if (!isKept) return seeOther(pathOf(params))
    if (!body) return seeOther(`${pathOf(params)}${tooLarge}`)
    try {
      const form = await formIn(body, type(request))
      if (form && !isSearchable(form)) return seeOther(notStorable(pathOf(params)).redirectTo)
      const taken = form && (await within(formPatienceMs, take(params, form, { cookies })))
      if (taken && 'html' in taken) return document(taken.html)
      return seeOther(taken?.redirectTo ?? pathOf(params), taken?.cookie)
    } catch (error) {
      log.error({ error: shortError(error), page }, 'A form with a file could not be taken')
      return words(request, 503, 'errors.down')
    }
  },

  async GET(_request: Request, context: { params: Promise<Params> }): Promise<Response> {
    return seeOther(pathOf(await context.params))
  },
})

async function formIn(body: Blob, contentType: string): Promise<FormData | null> {
  try {
    const form = await new Response(body, { headers: { 'content-type': contentType } }).formData()
    return [...form.keys()].length > maxFields ? null : form
  } catch {
    return null // no form at all
  }
}

/** The buyer waits for this redirect. */
const returnPatienceMs = 6_000

/**
 * The route to which a provider's page returns the buyer: looks up the outcome of the payment, and redirects. If the
 * outcome is not available now, or the limit is reached, it redirects to the page, which shows the state once the
 * provider has responded.
 */
export const returnRoute =
  (page: HostedPage, after: (token: string) => Promise<string | null>) =>
  async (request: Request, { params }: TokenParams): Promise<Response> => {
    const { token } = await params
    if (countForm('page', page, token, request) !== null) return seeOther(hostedPath(page, token))
    try {
      return seeOther((await within(returnPatienceMs, after(token))) ?? hostedPath(page, token))
    } catch (error) {
      log.warn({ error: shortError(error), page }, 'The outcome of a payment was not known when the buyer came back')
      return seeOther(hostedPath(page, token))
    }
  }

type Quote = (token: string, query: URLSearchParams, locale: Locale, buyer: Visitor) => Promise<object | null>

/** The route of a form's quote as text: GET ?lang and the fields that decide it. Null is 404. */
export const quoteRoute =
  (page: HostedPage, quote: Quote) =>
  async (request: Request, { params }: TokenParams): Promise<Response> => {
    const { token } = await params
    const query = new URL(request.url).searchParams
    const locale = localeOf(query) ?? 'en'
    const waitSeconds = countForm('quote', page, countedBy(page, token), request)
    if (waitSeconds !== null) return json(429, null, waitSeconds)
    try {
      const found = await within(quotePatienceMs, quote(token, query, locale, visitorOf(request.headers)))
      return json(found ? 200 : 404, found)
    } catch (error) {
      log.error({ error: shortError(error), page }, 'The quote of a hosted page failed')
      return json(503, null, secondsToWait(error, downSeconds))
    }
  }

const localeOf = (values: URLSearchParams) => locales.find((each) => each === values.get('lang')) ?? null

const json = (status: number, body: object | null, retryAfterSeconds?: number) =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', ...retryAfter(retryAfterSeconds) } })

const retryAfter = (seconds?: number) => (seconds === undefined ? undefined : { 'retry-after': String(seconds) })

/** In the language that the form itself sends, because its record may be unavailable. */
async function answerUntaken(
  untaken: Untaken,
  request: Request,
  page: string,
  form: URLSearchParams,
  buyer: Visitor,
): Promise<Response> {
  const locale = localeOf(form) ?? negotiateLocale(buyer.acceptLanguage)
  const action = new URL(request.url).pathname
  const body = untakenForm({ untaken, action, entries: [...form], locale, t: await translator(locale) })
  return new Response(body, {
    status: { busy: 429, down: 503 }[untaken.why],
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': untakenFormPolicy({ leavesSite: leavesSite(page) }),
      'cache-control': 'no-store',
      ...retryAfter(untaken.seconds),
    },
  })
}

/**
 * The fields of a posted form, urlencoded or multipart. Null if the body is no form, or larger than our forms can be.
 */
async function readForm(request: Request): Promise<URLSearchParams | null> {
  const body = await readAtMost(request, maxBytes)
  const form = body && (await formIn(body, type(request)))
  if (!form) return null
  return new URLSearchParams([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

const type = (request: Request) => request.headers.get('content-type') ?? ''

/**
 * The body, or null if it is larger. Most browsers show no response before they have sent their whole body. So a body
 * above the limit is read and discarded, up to a second limit.
 */
async function readAtMost(request: Request, limit: number): Promise<Blob | null> {
  const parts: BlobPart[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.byteLength
    if (size > limit + mostDiscarded) return null
    if (size <= limit) parts.push(part)
  }
  return size > limit ? null : new Blob(parts)
}

/** 303: the browser continues with a GET, so that neither a reload nor the back button sends the form again. */
export function seeOther(location: string, ...cookies: readonly (string | undefined)[]): Response {
  // A shop's URL may have letters that a header cannot contain.
  const target = location.startsWith('/') ? location : (parseHttpUrl(location) ?? new URL(location)).href
  const headers = new Headers({ location: target, 'cache-control': 'no-store' })
  for (const cookie of cookies) if (cookie) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
