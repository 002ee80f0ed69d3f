import { z } from 'zod'
import { type FieldErrors, Refusal } from '../../kernel/refusal.ts'
import type { Endpoint } from './endpoint.ts'
import { misspelled, unknownFields } from './field-names.ts'

/** Refuses `not_found` for a malformed id in the path, and `validation_failed` with all errors in query and body. */
export function parseWith(
  endpoint: Endpoint,
  params: Record<string, string>,
  query: URLSearchParams,
  body: Record<string, unknown> | undefined,
) {
  const parsedParams = endpoint.params?.safeParse(params)
  if (parsedParams && !parsedParams.success) throw new Refusal('not_found')
  const sent = sentParameters(endpoint.query, query)
  const parsedQuery = endpoint.query?.safeParse(sent.values)
  const parsedBody = endpoint.body?.safeParse(body ?? {})
  const combined = Object.entries(endpoint.validateCombination?.(body ?? {}) ?? {}).map(([field, sentence]) => [
    field,
    [sentence],
  ])
  const errors = {
    ...Object.fromEntries(combined),
    ...problems(parsedQuery?.error),
    ...sent.problems,
    ...problems(parsedBody?.error),
    ...misspelled(unknownFields(endpoint.body, body ?? {})),
  }
  if (Object.keys(errors).length > 0) throw new Refusal('validation_failed', errors)
  return { params: parsedParams?.data, query: parsedQuery?.data, body: parsedBody?.data }
}

export type WellFormed<Body> = {
  readonly [Field in keyof Body]?:
    | (Body[Field] extends readonly (infer Item extends object)[] ? readonly Partial<Item>[] : Body[Field])
    | undefined
}

/** A malformed field gets its default. */
export const wellFormedOf = (
  endpoint: Endpoint,
  params: Record<string, string>,
  query: URLSearchParams,
  body: Record<string, unknown> | undefined,
) => ({
  params: endpoint.params?.safeParse(params).data,
  query: endpoint.query && wellFormed(endpoint.query, sentParameters(endpoint.query, query).onceSent),
  body: endpoint.body && wellFormed(endpoint.body, body ?? {}),
})

function wellFormed(schema: z.core.$ZodType, value: unknown): unknown {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  if (schema instanceof z.ZodDefault) return schema.parse(undefined)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return wellFormed(schema.unwrap(), value)
  if (schema instanceof z.ZodObject) {
    const sent: Record<string, unknown> = typeof value === 'object' ? { ...value } : {}
    const fields = Object.entries(schema.shape).map(([field, shape]) => [field, wellFormed(shape, sent[field])])
    return Object.fromEntries(fields.filter(([, each]) => each !== undefined))
  }
  // The items of a list above its maximum length are not parsed.
  const isTooLong = parsed.error.issues.some(({ code, path }) => code === 'too_big' && path.length === 0)
  const isOfObjects = schema instanceof z.ZodArray && schema.element instanceof z.ZodObject
  if (isOfObjects && Array.isArray(value) && !isTooLong) return value.map((item) => wellFormed(schema.element, item))
  return undefined
}

/** Refuses `validation_failed`. */
export function parseShape<Parsed>(shape: z.ZodType<Parsed>, body: unknown): Parsed {
  const parsed = shape.safeParse(body)
  if (!parsed.success) throw new Refusal('validation_failed', problems(parsed.error))
  return parsed.data
}

/**
 * Clients also send names in snake case. An unknown or repeated parameter is a problem: its effect would be a guess.
 */
function sentParameters(schema: z.ZodType | undefined, query: URLSearchParams) {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const byAlias = new Map(known.flatMap((name) => [name, snakeCase(name)].map((alias) => [alias, name])))
  const sent = [...query].map(([alias, value]) => ({ name: byAlias.get(alias), alias, value }))
  const counts = new Map<string, number>()
  for (const { name = '' } of sent) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isOnce = (name: string | undefined) => name !== undefined && counts.get(name) === 1
  const supported = known.length === 0 ? 'This call has none.' : `Supported: ${known.join(', ')}.`
  return {
    values: Object.fromEntries(sent.map(({ name, alias, value }) => [name ?? alias, value])),
    onceSent: Object.fromEntries(sent.filter(({ name }) => isOnce(name)).map(({ name, value }) => [name, value])),
    problems: Object.fromEntries(
      sent
        .filter(({ name }) => !isOnce(name))
        .slice(0, mostProblems)
        .map(({ name, alias }) =>
          name === undefined
            ? [alias.slice(0, longestName), [`Unknown query parameter. ${supported}`]]
            : [name, ['Must be sent once.']],
        ),
    ) as FieldErrors,
  }
}

const mostProblems = 50
const longestName = 100

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The messages of a failed parse, by dot path; the root of a body is named `body`. */
function problems(error: z.ZodError | undefined): Record<string, string[]> {
  const byField = new Map<string, string[]>()
  for (const issue of error?.issues ?? []) {
    const field = issue.path.map(String).join('.') || 'body'
    const sentence = sentenceOf(issue)
    const sentences = byField.get(field) ?? []
    if (!sentences.includes(sentence)) byField.set(field, [...sentences, sentence])
  }
  return Object.fromEntries(byField)
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  record: 'an object',
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && issue.message.includes('undefined')) return 'This field is required.'
      return issue.message.startsWith('Invalid input')
        ? `Must be ${kinds[issue.expected] ?? issue.expected}.`
        : issue.message
    case 'too_small':
      return issue.origin === 'array'
        ? `Must have at least ${issue.minimum} item(s).`
        : `Must be at least ${group(issue.minimum)}.`
    case 'too_big':
      return issue.origin === 'array'
        ? `Must have at most ${issue.maximum} items.`
        : `Must be at most ${group(issue.maximum)}.`
    case 'invalid_value':
      return issue.message.startsWith('Invalid')
        ? `Must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}.`
        : issue.message
    default:
      return issue.message
  }
}

const group = (limit: number | bigint) => limit.toLocaleString('en')
