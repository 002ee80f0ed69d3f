import { parseHttpUrl } from '@/lib/kernel/url.ts'

/** More than all fields at their limits need. */
const maxBytes = 64 * 1024

/** The fields of a posted form, urlencoded or multipart, or null when it is no form of a size that ours can have. */
export async function readForm(request: Request): Promise<URLSearchParams | null> {
  const body = await readAtMost(request, maxBytes)
  if (!body) return null
  try {
    const form = await new Response(body, { headers: { 'content-type': type(request) } }).formData()
    return new URLSearchParams([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return null // no form at all
  }
}

const type = (request: Request) => request.headers.get('content-type') ?? ''

async function readAtMost(request: Request, limit: number): Promise<Blob | null> {
  const parts: BlobPart[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.byteLength
    if (size > limit) return null
    parts.push(part)
  }
  return new Blob(parts)
}

/** 303: the browser goes on with a GET, so that neither reload nor back sends the form again. */
export function seeOther(location: string): Response {
  // A shop's URL may have letters that a header cannot carry. One that was taken by an earlier rule goes where it went.
  const target = location.startsWith('/') ? location : (parseHttpUrl(location) ?? new URL(location)).href
  return new Response(null, { status: 303, headers: { location: target, 'cache-control': 'no-store' } })
}
