import { expect, it } from 'vitest'
import { auditLog, verdict } from './renewal-verdict.ts'

const none = { values: 'emails.sealed', renewed: 0, left: 0, unreadable: 0, damaged: 0, oldHashes: 0 }

it('the result of `secret-key renew` says that the former keys can be removed if no value needs these keys', () => {
  expect(verdict([{ ...none, renewed: 7 }, none], true)).toMatch(
    /^No value needs the keys in SECRET_KEY_PREVIOUS\. Remove these keys .* Exception: if a storefront moved here .*, keep the key of that installation/,
  )
  expect(verdict([none], false)).toBe('SECRET_KEY_PREVIOUS has no key. No value needs a former key.')
})

it('the result of `secret-key renew` says that every process must run with the new key before a former key is removed', () => {
  const condition = 'Remove the keys only if every process runs with the new SECRET_KEY.'
  expect(verdict([none], true)).toContain(condition)
  expect(verdict([none], false)).not.toContain(condition)
  expect(verdict([{ ...none, left: 3 }], true)).not.toContain(condition)
})

it.each([
  [{ ...none, left: 3 }, /^Do not remove the former keys: 3 values still need them\./],
  [{ ...none, damaged: 1 }, /^Values that were changed outside Billhook cannot be decrypted/],
  [{ ...none, values: auditLog, damaged: 1 }, /^The audit log is broken, so its entries were not renewed\./],
])('the former keys cannot be removed after the result %j', (row, sentence) => {
  const said = verdict([none, row], true)
  expect(said).toMatch(sentence)
  expect(said).not.toContain('No value needs')
})

it('the result of `secret-key renew` counts the suppressed addresses that may get emails again, and the values whose key is not configured', () => {
  const said = verdict([{ ...none, oldHashes: 2, unreadable: 4 }], true)
  expect(said).toContain('No value needs the keys in SECRET_KEY_PREVIOUS.')
  expect(said).toContain('Suppressed addresses whose customer was erased and whose hash needs a former key: at most 2.')
  expect(verdict([{ ...none, oldHashes: 2 }], false)).not.toContain('Suppressed addresses')
  expect(said).toContain('Values that stay unreadable, because their key is not configured: 4.')
})
