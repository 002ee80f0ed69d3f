import { Refusal } from '../../kernel/refusal.ts'

export const maxBytes = 1_048_576
export const maxDepth = 32

const none = new Uint8Array()

/**
 * Reads the body of a request. Refuses with `body_too_large` above 1 MB, by the declared length or by the received
 * bytes.
 */
export async function readBody(request: Request): Promise<Uint8Array> {
  if (request.method === 'GET') return none
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw new Refusal('body_too_large')
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength
      if (length > maxBytes) throw new Refusal('body_too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    // The client disconnected, so nobody gets this response. The refusal prevents the error from being logged as a bug.
    throw error instanceof Refusal ? error : new Refusal('malformed_json')
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/**
 * Parses the JSON body of a request. Returns undefined if the request has no body. Refuses with
 * `unsupported_media_type` (also for JSON with a content coding or in a charset other than UTF-8), `malformed_json`, or
 * `not_an_object`. Refuses a body with more than 32 nested levels with `validation_failed`, because other code walks
 * the body recursively.
 */
export function parseBody(request: Request, raw: Uint8Array): Record<string, unknown> | undefined {
  if (raw.byteLength === 0) return undefined
  if (!isPlainJson(request.headers)) throw new Refusal('unsupported_media_type')
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    throw new Refusal('malformed_json')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal('not_an_object')
  for (const [field, value] of Object.entries(body)) {
    if (isDeeper(value, maxDepth)) {
      throw new Refusal('validation_failed', {
        [field.slice(0, 100)]: [`Must not be nested deeper than ${maxDepth} levels.`],
      })
    }
  }
  return body as Record<string, unknown>
}

function isPlainJson(headers: Headers): boolean {
  const type = headers.get('content-type') ?? ''
  const codings = (headers.get('content-encoding') ?? '').split(',').map((coding) => coding.trim().toLowerCase())
  return (
    /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type) &&
    charsetsOf(type).every(isUtf8) &&
    codings.every((coding) => coding === '' || coding === 'identity')
  )
}

const charsetsOf = (type: string): string[] =>
  [...type.matchAll(/;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]*))/gi)].map(([, quoted, bare]) => quoted ?? bare ?? '')

function isUtf8(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding === 'utf-8'
  } catch {
    return false // An unknown encoding makes `TextDecoder` throw.
  }
}

/** Searches breadth-first and without recursion, because the value may be too deep for recursion. */
function isDeeper(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value]
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > levels) return true
    layer = layer.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
