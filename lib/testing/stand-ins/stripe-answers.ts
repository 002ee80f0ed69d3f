import type { Answer } from './stand-in.ts'

// biome-ignore lint/suspicious/noExplicitAny: a request may have any body
export type Given = any

export const ok = (body: unknown): Answer => ({ status: 200, body })

export const refused = (status: number, message: string, more: object = {}): Answer => ({
  status,
  body: { error: { type: status >= 500 ? 'api_error' : 'invalid_request_error', message, ...more } },
})

export const missing = (what: string, param?: string) =>
  refused(param ? 400 : 404, `No such ${what}`, { code: 'resource_missing', ...(param && { param }) })
