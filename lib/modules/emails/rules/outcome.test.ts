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
  ['kept', true, 'Stored only: emails of test mode are sent only to TEST_MAIL_TO.'],
  ['kept', false, 'Stored only: no mail server was configured (SMTP_URL).'],
] as const)('the outcome text of an email in status %s (test mode: %s) is: %s', (status, testmode, sentence) => {
  expect(outcomeText({ status, testmode })).toBe(sentence)
})
