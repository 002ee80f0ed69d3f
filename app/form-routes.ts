import { type Untaken, untakenForm, untakenFormPolicy } from '@/components/ui/untaken-form.ts'
import { type HostedPage, hostedPath, leavesSite, opensPayments, particularsOf } from '@/lib/kernel/hosted-pages.ts'
import { type Locale, locales, negotiateLocale } from '@/lib/kernel/locale.ts'
import { parseHttpUrl } from '@/lib/kernel/url.ts'
import { ProviderUnavailable } from '@/lib/modules/payments/page.ts'
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
import { document } from './(hosted)/document.ts'
import type { TokenParams } from './(hosted)/open.ts'
import { words } from './(hosted)/words.ts'
import { countForm } from './form-limits.ts'
import { isSearchable, notStorable } from './storable-form.ts'

/** The maximum size of a body. It exceeds the size of a form whose fields all have their maximum length. */
const maxBytes = 64 * 1024
/** The maximum number of bytes that are read and discarded if a body is too large. */
const mostDiscarded = 8 * 1024 * 1024
/** The maximum number of fields, more than any form has. It limits the size of the page that shows a refused form again. */
const maxFields = 100
/**
 * The time limit for processing a form. It is longer than the longest wait for a database lock. After this time the
 * response is an error page, but processing may still succeed. Repeating the form is safe.
 */
const formPatienceMs = 20_000
/** The time limit for computing a quote. It is less than the eight seconds that the browser waits. */
const quotePatienceMs = 6_000
const downSeconds = 5

interface Next {
  readonly redirectTo: string
  readonly cookie?: string
  /** A cookie that identifies this browser at later log-ins to the admin area. */
  readonly deviceCookie?: string
}

/** Processes a form. Returns the redirect, or null for an unknown link. Repeating the call must be safe, because the buyer may send the form again. */
type Take = (token: string, form: URLSearchParams, buyer: Visitor) => Promise<Next | null>

/** The form routes of a page. A POST responds with a redirect, or with a page that keeps the input. A form from another site gets 403. */
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

  /**
   * Redirects to the form's page, because browsers send a GET request if the reader opens the URL from the address bar
   * or restores a tab.
   */
  async GET(_request: Request, { params }: TokenParams): Promise<Response> {
    return seeOther(hostedPath(page, (await params).token))
  },
})

/** The token whose requests count toward a rate limit. Null for a payment link, because all its buyers share the token. */
const countedBy = (page: HostedPage, token: string): string | null => (particularsOf(page).isShared ? null : token)

interface Form {
  readonly page: string
  /** The token whose requests count toward a rate limit. If it is null, the requests of the IP address count instead. */
  readonly counted: string | null
  /** The redirect target if the body is not a form, or if `take` returns null. */
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
    const why = error instanceof ProviderUnavailable && opensPayments(page) ? 'payments' : 'down'
    return untaken({ why, seconds: secondsToWait(error, downSeconds) })
  }
}

/**
 * Processes a form within a session. If the result is null, the route redirects to the target `otherwise` of
 * `sessionFormRoutes`.
 */
type TakeInSession<Params> = (params: Params, form: URLSearchParams, sender: Sender) => Promise<Next | null>

/**
 * Returns a 429 response if the IP address has reached its limit of form submissions, or else null. The response does
 * not show the entered values.
 */
export async function refusedAsBusy(page: string, request: Request): Promise<Response | null> {
  const seconds = countForm('form', page, null, request)
  if (seconds === null) return null
  return busyPage(429, { seconds, acceptLanguage: request.headers.get('accept-language') })
}

interface Sender {
  readonly cookies: string | null
  readonly address: string
  readonly name: string
}

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
  readonly tooLarge: string
  readonly maxBytes: number
  /** Whether the sender may send this form. If not, the body is not kept in memory. */
  readonly isAllowed: (params: Params, cookies: string | null) => Promise<boolean>
}

type Uploaded = Next | { readonly html: string }

/** Form routes for file uploads within a session. After a failure, these routes do not show the input again, unlike `sessionFormRoutes`. */
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
    // If the check fails because the database is unavailable, the body is read anyway. `take` then fails too, and the reader sees an error.
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
    return null // the body cannot be parsed as a form
  }
}

/** The time limit for looking up the outcome of a payment. It is short, because the buyer waits for the redirect. */
const returnPatienceMs = 6_000

/**
 * The route to which a payment provider returns the buyer. If the outcome of the payment is unavailable or the rate limit is reached, the route redirects to
 * our page, which shows the outcome later.
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

/** The response is in the language that the form states, because the record with the buyer's language may be unavailable. */
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
    status: { busy: 429, down: 503, payments: 503 }[untaken.why],
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': untakenFormPolicy({ leavesSite: leavesSite(page) }),
      'cache-control': 'no-store',
      ...retryAfter(untaken.seconds),
    },
  })
}

async function readForm(request: Request): Promise<URLSearchParams | null> {
  const body = await readAtMost(request, maxBytes)
  const form = body && (await formIn(body, type(request)))
  if (!form) return null
  return new URLSearchParams([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

const type = (request: Request) => request.headers.get('content-type') ?? ''

/**
 * Returns the body, or null if it is larger than `limit` bytes. After the limit, up to `mostDiscarded` further bytes are read and discarded, because most
 * browsers show no response before they have sent the whole body.
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

/** With 303 the browser continues with GET, so neither a reload nor the back button sends the form again. */
export function seeOther(location: string, ...cookies: readonly (string | undefined)[]): Response {
  // Converts the URL of a shop to ASCII, because a header cannot contain other letters.
  const target = location.startsWith('/') ? location : (parseHttpUrl(location) ?? new URL(location)).href
  const headers = new Headers({ location: target, 'cache-control': 'no-store' })
  for (const cookie of cookies) if (cookie) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
