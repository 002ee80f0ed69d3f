import { expect, it } from 'vitest'
import { failureKind } from './failure.ts'

it.each([
  [null, 'No answer within 15 seconds.', 'timeout'],
  [null, 'The connection was refused.', 'unreachable'],
  [null, 'The connection was interrupted.', 'unreachable'],
  [null, 'The host name does not resolve.', 'dns'],
  [null, 'The certificate is not valid.', 'certificate'],
  [null, 'The delivery was not sent, because the secret of the endpoint cannot be decrypted. Set a new secret.', null],
  [null, null, null],
  [200, null, null],
  [299, null, null],
  [101, null, 'redirect'],
  [302, null, 'redirect'],
  [400, null, 'refused'],
  [410, null, 'gone'],
  [429, null, 'refused'],
  [500, null, 'broken'],
  [503, null, 'broken'],
])('an attempt with the status %j and the error %j has the failure kind %j', (status, error, kind) => {
  expect(failureKind({ status, error })).toBe(kind)
})
