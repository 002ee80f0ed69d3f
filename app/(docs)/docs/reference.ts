import { apiDocument } from '@/app/v1/document.ts'
import { type Document, type Reference, referenceOf } from '@/components/docs/reference.ts'

let known: Reference | undefined

export function reference(): Reference {
  known ??= referenceOf(apiDocument({ baseUrl: '', contact: { name: '', email: null } }) as unknown as Document)
  return known
}
