import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { contentCoding } from '../platform/http/content-coding.ts'

/**
 * Has a page sent whole, and without Next's scripts if its document says `data-static`: what follows the input there is a
 * script of its own (`components/ui/hosted-script/`), and Next's are twenty times as large. Next must not compress it before.
 */
export function sendWithoutScripts(message: IncomingMessage, response: ServerResponse): void {
  if (message.method !== 'GET') return
  const accepted = String(message.headers['accept-encoding'] ?? '')
  message.headers['accept-encoding'] = 'identity'
  const parts: Buffer[] = []
  const collect = (part: unknown, encoding?: unknown) => {
    if (typeof part === 'string')
      parts.push(Buffer.from(part, typeof encoding === 'string' ? (encoding as 'utf8') : 'utf8'))
    else if (part instanceof Uint8Array) parts.push(Buffer.from(part))
  }
  const { end } = response
  const answered = (...given: unknown[]) => given.find((each) => typeof each === 'function') as (() => void) | undefined
  Object.assign(response, {
    flushHeaders: () => undefined,
    writeHead(status: number, ...given: unknown[]) {
      response.statusCode = status
      const headers = given.find((each) => typeof each === 'object' && each !== null) ?? {}
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      return response
    },
    write(part: unknown, ...given: unknown[]) {
      collect(part, given[0])
      answered(...given)?.()
      return true
    },
    end(part: unknown, ...given: unknown[]) {
      collect(part, given[0])
      // Only once: what follows is the end as it is.
      for (const name of ['flushHeaders', 'writeHead', 'write', 'end'] as const) Reflect.deleteProperty(response, name)
      send(response, Buffer.concat(parts), accepted).then(
        (body) => end.call(response, body, answered(part, ...given) as never),
        (error) => response.destroy(error),
      )
      return response
    },
  })
}

/** Below this, compression saves nothing. */
const leastBytes = 1_000

/** Sets the headers of what is sent, and returns its body. */
async function send(response: ServerResponse, body: Buffer, accepted: string): Promise<Buffer> {
  const type = String(response.getHeader('content-type') ?? '')
  const plain = type.startsWith('text/html') ? Buffer.from(withoutScripts(body.toString())) : body
  const isText = /^(?:text\/|application\/(?:json|xml))/.test(type)
  const coding = isText && plain.length >= leastBytes ? contentCoding(accepted, ['br', 'gzip']) : null
  const coded = coding === null ? plain : await compress[coding](plain)
  if (response.hasHeader('content-length') || coded.length > 0) response.setHeader('content-length', coded.length)
  if (coding !== null) response.setHeader('content-encoding', coding)
  if (isText) response.appendHeader('vary', 'Accept-Encoding')
  return coded
}

const compress = {
  br: (plain: Buffer) => promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (plain: Buffer) => promisify(gzip)(plain),
}

/** A page whose document is static without its scripts, but for those that it says to keep; any other as it is. */
export function withoutScripts(html: string): string {
  const [document = ''] = /<html\b[^>]*>/.exec(html) ?? []
  if (!/\bdata-static\b/.test(document)) return html
  return html
    .replaceAll(/<script\b(?![^>]*\bdata-kept\b)[^>]*>[\s\S]*?<\/script>/g, '')
    .replaceAll(/<link\b(?=[^>]*\bas="script")[^>]*>/g, '')
}
