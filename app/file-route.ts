import { config } from '@/lib/platform/config.ts'
import { isSameOrigin } from '@/lib/platform/http/same-origin.ts'
import { log } from '@/lib/platform/log.ts'
import { shortError } from '@/lib/platform/short-error.ts'
import { within } from '@/lib/platform/within.ts'
import { words } from './(hosted)/words.ts'
import { refusedAsBusy, seeOther } from './form-routes.ts'

/** The time limit for the function `take` of `fileRoute`. */
const patienceMs = 20_000

/**
 * The time limit for the first part of the file. The part may need several statements, and the database ends each
 * statement only after 30 seconds. The sum of this limit and `patienceMs` is less than the 120 seconds that a proxy
 * waits (docs/production.md). Later parts have no time limit, because their speed depends on the reader's connection.
 */
const firstPartMs = 90_000

type Part = string | Uint8Array

interface File {
  readonly fileName: string
  readonly parts: AsyncGenerator<Part>
}

/**
 * Form routes that need a session and respond with a file or a redirect. If `take` returns null, the route redirects to
 * the page of the form. If the first part of the file cannot be read in time, the response is 503. A later failure
 * aborts the download, because the status has already been sent.
 */
export const fileRoute = <Params extends Record<string, string>>(
  { page, pathOf, contentType }: { page: string; pathOf: (params: Params) => string; contentType: string },
  take: (
    params: Params,
    sender: { cookies: string | null; query: URLSearchParams },
  ) => Promise<File | { redirectTo: string; cookie?: string } | null>,
) => ({
  async POST(request: Request, context: { params: Promise<Params> }): Promise<Response> {
    if (!isSameOrigin(request.headers, config().publicBaseUrl)) return words(request, 403, 'portal.refused')
    const params = await context.params
    const refused = await refusedAsBusy(page, request)
    if (refused) return refused
    try {
      const file = await within(patienceMs, take(params, senderOf(request)))
      if (!file) return seeOther(pathOf(params))
      if ('redirectTo' in file) return seeOther(file.redirectTo, file.cookie)
      const first = await within(firstPartMs, file.parts.next())
      return new Response(streamOf(first, file.parts), {
        headers: {
          'content-type': contentType,
          'content-disposition': `attachment; filename="${file.fileName}"`,
          'cache-control': 'no-store',
        },
      })
    } catch (error) {
      log.error({ error: shortError(error), page }, 'A file could not be written')
      return words(request, 503, 'errors.down')
    }
  },

  async GET(_request: Request, context: { params: Promise<Params> }): Promise<Response> {
    return seeOther(pathOf(await context.params))
  },
})

const senderOf = (request: Request) => ({
  cookies: request.headers.get('cookie'),
  query: new URL(request.url).searchParams,
})

function streamOf(first: IteratorResult<Part>, parts: File['parts']) {
  let begin: IteratorResult<Part> | null = first
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = begin ?? (await parts.next())
      begin = null
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? new TextEncoder().encode(value) : value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}
