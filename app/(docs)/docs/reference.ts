import { endpoints } from '@/app/v1/endpoints.ts'
import { type Document, type Reference, referenceOf } from '@/components/docs/reference.ts'
import { openApi } from '@/lib/platform/http/openapi.ts'

let known: Reference | undefined

/** The reference of this version's interface. It names no address of the service: most of its pages are made when they are built. */
export function reference(): Reference {
  known ??= referenceOf(openApi(endpoints, { baseUrl: '', version: '1' }) as unknown as Document)
  return known
}
