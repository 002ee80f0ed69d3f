import { expect, it } from 'vitest'
import { outcomeOf } from './outcome.ts'

it.each([
  ['queued', true, 'Waits for the mail server.'],
  ['sent', true, 'The mail server took it.'],
  ['refused', false, 'The mail server refused it for good.'],
  [
    'unsupported',
    false,
    'Not sent: the mail server does not support letters outside ASCII before the @ (SMTPUTF8). ' +
      'Ask for another address, or use a mail server that offers SMTPUTF8 and send the email again.',
  ],
  ['kept', true, 'Kept to be read here: emails of test mode leave only to TEST_MAIL_TO.'],
  ['kept', false, 'Kept to be read here: no mail server was set (SMTP_URL).'],
] as const)('the outcome of an email that is %s (test mode: %s) is: %s', (status, testmode, sentence) => {
  expect(outcomeOf({ status, testmode })).toBe(sentence)
})
