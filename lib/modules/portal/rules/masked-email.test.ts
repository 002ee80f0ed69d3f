import { expect, it } from 'vitest'
import { maskedEmail } from './masked-email.ts'

it.each([
  ['ada@example.com', 'a***@e***.com'],
  ['a@b.co', 'a***@b***.co'],
  ['ada@mail.example.co.uk', 'a***@m***.uk'],
  ['"a@b"@xn--mller-kva.de', '"***@x***.de'],
])('the email address %s is masked as %s', (email, masked) => {
  expect(maskedEmail(email)).toBe(masked)
})
