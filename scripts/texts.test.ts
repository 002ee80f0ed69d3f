import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { locales } from '../lib/kernel/locale.ts'
import { root } from './environment.mjs'

/** The table in `docs/languages/<locale>.md` lists the translation of each term. */
describe.each(locales)('the texts in the language %s', (locale) => {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
  // The law prescribes the words of the model withdrawal form, so the checks omit the form.
  const { withdrawalForm: _, ...ours } = JSON.parse(read(`messages/${locale}.json`))
  const texts = textsOf(ours)
  const rows = [...read(`docs/languages/${locale}.md`).matchAll(/^\| ([^|]+?) \| ([^|]+?) \|([^|]*)\|$/gm)]
    .slice(1)
    .map(([, term = '', words = '', never = '']) => ({ term, words: listed(words), never: listed(never) }))
  const using = (words: string) => texts.filter((text) => standsIn(text, words))

  it.each(rows.flatMap(({ term, words }) => words.map((word) => [term, word])))(
    `in ${locale}, the term %s is translated as %s`,
    (_, word) => {
      expect(using(word)).not.toEqual([])
    },
  )

  it.each(rows.flatMap(({ term, never }) => never.map((word) => [term, word])))(
    `in ${locale}, the term %s is never translated as %s`,
    (_, word) => {
      expect(using(word)).toEqual([])
    },
  )

  it(`no text in ${locale} has an exclamation mark, a straight quotation mark, or three dots`, () => {
    expect(texts.filter((text) => /[!"']|\.\.\./.test(text))).toEqual([])
  })
})

it('no line of a French page can begin with a punctuation mark', () => {
  const { orderLines: _, ...ofPages } = JSON.parse(readFileSync(path.join(root, 'messages/fr.json'), 'utf8'))
  expect(textsOf(ofPages).filter((text) => / [:;?]/.test(text))).toEqual([])
})

it.each([
  ['de', /\b(?:bis|ab)(?: \{date\}| <date>)|\bbis$/i],
  ['it', /\b(?:il|al|dal)(?: \{date\}| <date>|$)/i],
  ['pt', /\ba(?: \{date\}| <date>)/i],
])('in %s, texts before a date use only words that fit every day of the month', (locale, wrong) => {
  const texts = textsOf(JSON.parse(readFileSync(path.join(root, `messages/${locale}.json`), 'utf8')))
  expect(texts.filter((text) => wrong.test(text))).toEqual([])
})

/** The patterns accept a capital letter at the start of a polite pronoun, such as "Sie". */
it.each([
  ['de', /^(?:\p{Ll}|\{|Sie\b|Ihr)/u],
  ['pl', /^(?:\p{Ll}|\{|Pa[nń])/u],
])('emails in %s continue in lower case after the comma of the salutation', (locale, right) => {
  const { emails } = JSON.parse(readFileSync(path.join(root, `messages/${locale}.json`), 'utf8'))
  const { approved, rejected, withdrawal } = emails.members
  const { details, method, both } = emails.billingUpdated
  const reviews = [approved, rejected].flatMap(({ item, update }) => [item, update])
  const arrived = [withdrawal.arrived, withdrawal.arrivedWithUnits]
  const first = [...whatsOf(emails), ...[details, method, both], ...reviews, ...arrived]
  expect(emails.greeting).toMatch(/,$/)
  expect(first.length).toBeGreaterThan(30)
  expect(first.filter((text) => !right.test(text))).toEqual([])
})

it.each(locales)('the email about new bank details quotes the admin area button in %s', (locale) => {
  const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
  const { emails } = read(`messages/${locale}.json`)
  expect(emails.members.payoutAccount.stop).toContain(read(`messages/admin/${locale}.json`).balance.bankAccount.stop)
})

const listed = (cell: string) => cell.split(', ').flatMap((word) => word.trim() || [])

function standsIn(text: string, words: string): boolean {
  const at = text.toLowerCase().indexOf(words.toLowerCase())
  return at >= 0 && !/\p{L}$/u.test(text.slice(0, at))
}

const whatsOf = (value: object): string[] =>
  Object.entries(value).flatMap(([name, each]) =>
    typeof each === 'object' ? whatsOf(each) : name === 'what' ? [each] : [],
  )

const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value.replaceAll('\u00a0', ' ')] : Object.values(value as object).flatMap(textsOf)
