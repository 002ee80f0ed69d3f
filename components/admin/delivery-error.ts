import type { Rule } from '@/lib/kernel/rule-problem.ts'
import { ruleFinder } from '@/lib/kernel/rule-sentence.ts'
import { adminText as t } from './text.ts'

/** The rules that a delivery attempt without a response can violate. */
const deliveryRules = [
  'absolute_https_url',
  'certificate_invalid',
  'connection_failed',
  'connection_interrupted',
  'connection_refused',
  'connection_timed_out',
  'host_unresolved',
  'https_url',
  'interim_responses',
  'no_response',
  'request_failed',
  'secret_unreadable',
  'url_port',
  'url_public',
] as const satisfies readonly Rule[]

const find = ruleFinder(deliveryRules)

/** The error of a delivery attempt in the reader's language. An unknown error stays in English. */
export function errorText(error: string): string {
  const found = find(error)
  return found ? t(`rules.${found.rule}`, found.values) : error
}
