import { config } from '@/lib/platform/config.ts'
import { isSameOrigin } from '@/lib/platform/http/same-origin.ts'
import { log } from '@/lib/platform/log.ts'
import { shortError } from '@/lib/platform/short-error.ts'
import { within } from '@/lib/platform/within.ts'
import { refusedAsBusy, seeOther } from './form.ts'
import { words } from './words.ts'

/** The time limit for the first part. The rest takes as long as the browser needs. */
const patienceMs = 20_000

/** A file that is generated while it is sent. */
interface File {
  readonly fileName: string
  readonly parts: AsyncGenerator<string | Uint8Array>
}

/**
 * The routes of a form behind a session whose response is a file, or the target of a redirect, such as the page that takes a code.
 * Null redirects to the page, which shows the problem.
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
      return new Response(streamOf(file.parts), {
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

/** Generated no faster than the browser reads it. */
const streamOf = (parts: File['parts']) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? new TextEncoder().encode(value) : value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
