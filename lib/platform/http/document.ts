import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { type Coding, contentCoding } from './content-coding.ts'

interface Document {
  readonly etag: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly coded: Readonly<Record<Coding, Uint8Array<ArrayBuffer>>>
}

/** The document is built and compressed once per process, at the first request. */
export function jsonDocument(make: () => unknown): (request: Request, headers: Headers) => Promise<Response> {
  let made: Promise<Document> | undefined
  return async ({ headers: asked }, headers) => {
    made ??= documentOf(JSON.stringify(make()))
    const { etag, plain, coded } = await made
    headers.set('ETag', etag)
    headers.set('Vary', 'Accept-Encoding')
    // Clients must revalidate, so that they see a new version of the service immediately.
    headers.set('Cache-Control', 'no-cache')
    if (matches(asked.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
    headers.set('Content-Type', 'application/json; charset=utf-8')
    const coding = contentCoding(asked.get('accept-encoding'), ['br', 'gzip'])
    if (coding) headers.set('Content-Encoding', coding)
    return new Response(coding ? coded[coding] : plain, { headers })
  }
}

async function documentOf(text: string): Promise<Document> {
  const plain = new Uint8Array(Buffer.from(text))
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain)])
  // The ETag is weak, because one ETag covers all codings.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { etag, plain, coded: { br: new Uint8Array(br), gzip: new Uint8Array(zipped) } }
}

const matches = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((each) => ['*', etag, etag.replace(/^W\//, '')].includes(each.trim()))
