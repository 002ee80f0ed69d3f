import { type AdminKey, adminText as t } from './text.ts'

/** The error sentences that `lib/platform/outbound` stores for an attempt without a response, with their message keys. */
const known: Readonly<Record<string, AdminKey>> = {
  'The host name does not resolve.': 'webhooks.errors.dns',
  'The connection was refused.': 'webhooks.errors.refused',
  'The connection was interrupted.': 'webhooks.errors.interrupted',
  'The connection timed out.': 'webhooks.errors.timedOut',
  'The connection failed.': 'webhooks.errors.failed',
  'The certificate is not valid.': 'webhooks.errors.certificate',
  'The request failed.': 'webhooks.errors.request',
  'Must be an https URL.': 'webhooks.errors.https',
  'Must be a public host. Private, loopback, link-local and reserved addresses are not allowed.':
    'webhooks.errors.notPublic',
  'The delivery was not sent, because the secret of the endpoint cannot be decrypted. Set a new secret.':
    'webhooks.unreadableSecret',
}

/** The error of a delivery attempt in the reader's language. An unknown sentence stays in English. */
export function errorText(error: string): string {
  const [, seconds] = /^No answer within (\d+(?:\.\d+)?) seconds\.$/.exec(error) ?? []
  if (seconds !== undefined) return t('webhooks.errors.timeout', { seconds })
  if (/^More than \d+ interim responses/.test(error)) return t('webhooks.errors.interim')
  const key = Object.hasOwn(known, error) ? known[error] : undefined
  return key ? t(key) : error
}
