import { expect, it } from 'vitest'
import { secretHint } from './secret-hint.ts'

it.each([
  ['whsec_0123456789abcdefABCD', 'ABCD'],
  ['x'.repeat(24), 'xxxx'],
  ['x'.repeat(23), null],
  ['whsec_0123', null],
  [`${'x'.repeat(23)}🔑`, 'xxx🔑'],
])('the displayed last characters of the webhook secret %j are %j', (secret, hint) => {
  expect(secretHint(secret)).toBe(hint)
})
