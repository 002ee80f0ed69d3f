import { domainOf } from '../../../kernel/email.ts'

/**
 * In test mode, anyone with an API key chooses text and recipient, so the operator must list the address or its exact domain in `TEST_MAIL_TO`. All
 * addresses are in canonical form.
 */
export const mayBeSent = (
  to: string,
  { testmode, testMailTo }: { testmode: boolean; testMailTo: readonly string[] },
): boolean => !testmode || testMailTo.includes(to) || testMailTo.includes(domainOf(to))
