import { expect, it } from 'vitest'
import { timedSignature } from './signing.ts'

it('a webhook signature has the format t=<seconds>,v1=<hex>', () => {
  const body = '{"id":"webhook_event_pin","eventName":"order.paid"}'
  expect(timedSignature(['whsec_test_fixture_secret'], 1_700_000_000, body)).toBe(
    't=1700000000,v1=c6f573e62fac6ebca1e3534ca8019c9c5fe090d638b3b40c23470d5b6f2598ea',
  )
})

it('a webhook signature is computed from the UTF-8 bytes of secret and body', () => {
  const decomposed = timedSignature(['geheim-u\u0308'], 1, 'ü')
  expect(decomposed).not.toBe(timedSignature(['geheim-\u00fc'], 1, 'ü'))
  expect(decomposed).toMatch(/^t=1,v1=[0-9a-f]{64}$/)
})
