import { z } from 'zod'
import { type FieldErrors, Refusal } from '../../kernel/refusal.ts'
import { RuleProblem, ruleProblem } from '../../kernel/rule-problem.ts'
import type { Endpoint } from './endpoint.ts'
import { misspelled, unknownFields } from './field-names.ts'

/**
 * Parses the input of a request. Refuses with `not_found` for a malformed id in the path, or with `validation_failed`
 * and all errors.
 */
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
  const combined = Object.entries(endpoint.validateCombination?.(body ?? {}) ?? {}).map(([field, problem]) => [
    field,
    [problem],
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

/** The well-formed fields of the input. A malformed field gets its default. */
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
  // If a list exceeds its maximum length, its items are not validated.
  const isTooLong = parsed.error.issues.some(({ code, path }) => code === 'too_big' && path.length === 0)
  const isOfObjects = schema instanceof z.ZodArray && schema.element instanceof z.ZodObject
  if (isOfObjects && Array.isArray(value) && !isTooLong) return value.map((item) => wellFormed(schema.element, item))
  return undefined
}

export function parseShape<Parsed>(shape: z.ZodType<Parsed>, body: unknown): Parsed {
  const parsed = shape.safeParse(body)
  if (!parsed.success) throw new Refusal('validation_failed', problems(parsed.error))
  return parsed.data
}

/** The query parameters by name. Parameters may be in snake case. An unknown or repeated parameter is refused. */
function sentParameters(schema: z.ZodType | undefined, query: URLSearchParams) {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const byAlias = new Map(known.flatMap((name) => [name, snakeCase(name)].map((alias) => [alias, name])))
  const sent = [...query].map(([alias, value]) => ({ name: byAlias.get(alias), alias, value }))
  const counts = new Map<string, number>()
  for (const { name = '' } of sent) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isOnce = (name: string | undefined) => name !== undefined && counts.get(name) === 1
  const supported =
    known.length === 0 ? 'This operation supports no query parameters.' : `Supported: ${known.join(', ')}.`
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
            : [name, ['Must not be sent more than once.']],
        ),
    ) as FieldErrors,
  }
}

const mostProblems = 50
const longestName = 100

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function problems(error: z.ZodError | undefined): FieldErrors {
  const byField = new Map<string, (string | RuleProblem)[]>()
  for (const issue of error?.issues ?? []) {
    const field = issue.path.map(String).join('.') || 'body'
    const problem = problemOf(issue)
    const before = byField.get(field) ?? []
    if (before.every((each) => String(each) !== String(problem))) byField.set(field, [...before, problem])
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

function problemOf(issue: z.core.$ZodIssue): string | RuleProblem {
  const own = issue.message.startsWith('Invalid') ? undefined : issue.message
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined && issue.message.includes('undefined')) return ruleProblem('required')
      const rule = issue.expected === 'number' || issue.expected === 'int' ? 'whole_number' : 'wrong_type'
      return ruleProblem(rule, {}, own ?? `Must be ${kinds[issue.expected] ?? issue.expected}.`)
    }
    case 'too_small': {
      const least = Number(issue.minimum)
      return issue.origin === 'array'
        ? ruleProblem('items_at_least', { least })
        : ruleProblem('at_least', { least }, `Must be at least ${group(least)}.`)
    }
    case 'too_big': {
      const most = Number(issue.maximum)
      return issue.origin === 'array'
        ? ruleProblem('items_at_most', { most })
        : ruleProblem('at_most', { most }, `Must be at most ${group(most)}.`)
    }
    case 'invalid_value': {
      const values = issue.values.map((value) => JSON.stringify(value)).join(', ')
      return ruleProblem('listed', { values }, own)
    }
    case 'custom':
      return issue.params?.violated instanceof RuleProblem ? issue.params.violated : issue.message
    default:
      return issue.message
  }
}

const group = (limit: number) => limit.toLocaleString('en')
