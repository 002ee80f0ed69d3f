import { endpoints } from '@/app/v1/endpoints.ts'
import { type Document, type Reference, referenceOf } from '@/components/docs/reference.ts'
import { openApi } from '@/lib/platform/http/openapi.ts'

/** The reference of this version's interface. It names no address of the service: its pages are made when they are built. */
export const reference = (): Reference =>
  referenceOf(openApi(endpoints, { baseUrl: '', version: '1' }) as unknown as Document)
