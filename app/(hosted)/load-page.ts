import type { Loaded } from '@/lib/kernel/hosted-pages.ts'
import { oncePerRequest } from '@/lib/platform/http/once-per-request.ts'
import { type Visitor, visitorOf } from '@/lib/platform/http/visitor.ts'
import { log } from '@/lib/platform/log.ts'
import { shortError } from '@/lib/platform/short-error.ts'
import { within } from '@/lib/platform/within.ts'

/**
 * The time limit for loading a page. After this time, the reader gets a page that says that the service does not
 * respond.
 */
const patienceMs = 10_000

/** The proxy writes the query of a page into this request header, because a layout does not receive the query. */
export const queryHeader = 'billhook-page-query'

export interface PageRequest {
  readonly visitor: Visitor
  readonly query: URLSearchParams
}

export const pageRequestOf = (headers: Pick<Headers, 'get'>): PageRequest => ({
  visitor: visitorOf(headers),
  query: new URLSearchParams(headers.get(queryHeader) ?? ''),
})

export type LoadedOrDown<View> =
  | Loaded<View>
  | { readonly status: 503; readonly view: null; readonly origins?: undefined }

/**
 * Loads a page once per request, for both the proxy and the page. If the load fails, returns the status 503. It does
 * not throw, because a thrown error would give a browser without JavaScript an empty page.
 */
export const loadPage = <View>(path: string, load: () => Promise<Loaded<View>>): Promise<LoadedOrDown<View>> =>
  oncePerRequest(path, () =>
    within(patienceMs, load()).catch((error: unknown) => {
      log.error({ error: shortError(error) }, 'A hosted page could not be loaded')
      return { status: 503, view: null }
    }),
  )
