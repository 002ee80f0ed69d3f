import type { Rule } from '@/lib/kernel/rule-problem.ts'
import { ruleTexts } from '@/lib/kernel/rule-texts.ts'
import { adminText as t } from './text.ts'

/** The rules that `lib/platform/outbound` reports for an attempt without a response. */
const outboundRules = [
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
  'url_port',
  'url_public',
] as const satisfies readonly Rule[]

const special = /[.*+?^${}()|[\]\\]/g

/** Matches the English sentence that a delivery attempt stores, and captures the values of its placeholders. */
const sentenceOf = (rule: Rule): RegExp =>
  new RegExp(`^${ruleTexts[rule].replaceAll(special, '\\$&').replaceAll(/\\\{(\w+)\\\}/g, '(?<$1>.+)')}$`)

const sentences = outboundRules.map((rule) => [rule, sentenceOf(rule)] as const)

const unreadableSecret =
  'The delivery was not sent, because the secret of the endpoint cannot be decrypted. Set a new secret.'

/** The error of a delivery attempt in the reader's language. An unknown sentence stays in English. */
export function errorText(error: string): string {
  if (error === unreadableSecret) return t('deliveries.unreadableSecret')
  for (const [rule, sentence] of sentences) {
    const found = sentence.exec(error)
    if (found) return t(`rules.${rule}`, found.groups)
  }
  return error
}
