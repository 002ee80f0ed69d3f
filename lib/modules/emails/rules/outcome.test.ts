import { expect, it } from 'vitest'
import { outcomeText } from './outcome.ts'

it.each([
  ['queued', true, 'The email waits to be sent.'],
  ['sent', true, 'The mail server accepted the email.'],
  ['refused', false, 'The mail server rejected the email permanently.'],
  [
    'unsupported',
    false,
    'Not sent: the mail server does not support letters outside ASCII before the @ (SMTPUTF8). Ask ' +
      'the recipient for another address, or use a mail server that offers SMTPUTF8 and send the email ' +
      'again.',
  ],
  [
    'unreadable',
    false,
    'Not sent: the email cannot be decrypted, because the key that encrypted it is not configured. Add the key to ' +
      'SECRET_KEY_PREVIOUS and send the email again. Without the key, the email stays unreadable.',
  ],
  ['kept', true, 'Stored only: emails of test mode are sent only to TEST_MAIL_TO.'],
  ['kept', false, 'Stored only: no mail server was configured (SMTP_URL).'],
] as const)('the outcome text of an email in status %s (test mode: %s) is: %s', (status, testmode, sentence) => {
  expect(outcomeText({ status, testmode })).toBe(sentence)
})
