import { describe, expect, it } from 'vitest'
import { invalid, Refusal, refusals } from './refusal.ts'

describe('refusals', () => {
  it.each(Object.entries(refusals))('the error %s has an HTTP status and a sentence', (_, { status, message }) => {
    expect([400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503]).toContain(status)
    expect(message).toMatch(/^[A-Z].*\.$/)
  })

  it('a Refusal contains its HTTP status and the invalid field', () => {
    expect(new Refusal('not_found')).toMatchObject({ code: 'not_found', status: 404, on: {} })
    expect(invalid('url', 'Must be https.')).toMatchObject({
      code: 'validation_failed',
      status: 422,
      on: { url: ['Must be https.'] },
    })
  })
})
