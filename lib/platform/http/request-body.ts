import { Refusal } from '../../kernel/refusal.ts'

export const maxBytes = 1_048_576
export const maxDepth = 32

const none = new Uint8Array()

/** Reads the raw body. Refuses `body_too_large` beyond 1 MB, by its declared length or by the bytes that arrive. */
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
    // The client disconnected during its body. This is not our error to log, and the response reaches nobody.
    throw error instanceof Refusal ? error : new Refusal('malformed_json')
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/**
 * Parses the body as an object; `undefined` without a body. Refuses `unsupported_media_type` (also another charset or a
 * content coding), `malformed_json` (also text that is not UTF-8), and `not_an_object`. Refuses `validation_failed` on
 * a field that nests deeper than 32 levels: JSON.parse accepts deeper values than other code can walk.
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
        [field.slice(0, 100)]: [`Must not nest deeper than ${maxDepth} levels.`],
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
    return false // TextDecoder throws on an unknown name
  }
}

/** Breadth first, so that the walk itself needs no deep stack. */
function isDeeper(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value]
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > levels) return true
    layer = layer.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
