import { isCountry } from '../../kernel/countries.ts'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import { cleanTaxId } from '../../kernel/tax-id.ts'
import { hasWrongCheckDigits } from '../../kernel/vat-check-digits.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db } from '../../platform/db/db.ts'
import { commandLine } from '../audit/command-line.ts'
import type { Actor } from '../audit/rules/entry.ts'
import { writeAudit } from '../audit/write.ts'
import { hasRates, provincesWithOwnTax, type Registration, type RegistrationScheme } from './rules/index.ts'
import * as store from './store.ts'

interface NewRegistration {
  readonly country: string
  readonly region?: string | undefined
  readonly number: string
  readonly scheme: string
  readonly from: string
  readonly until?: string | undefined
}

export const listRegistrations = (): Promise<Registration[]> => store.allRegistrations(db())

/**
 * Adds a registration and writes an entry to the audit log. Throws `validation_failed` if a field is invalid or if the
 * rates of the country are unknown. Also throws `validation_failed` if a registration of the same country, region, and
 * scheme overlaps. Does not check the digits of a number without the prefix of a VAT ID, because a `local` registration
 * can have a national tax number.
 */
export async function addRegistration(typed: NewRegistration, by: Actor = commandLine()): Promise<Registration> {
  const given = { ...typed, number: cleanTaxId(typed.number) }
  const problems = problemsOf(given)
  if (Object.keys(problems).length > 0) throw new Refusal('validation_failed', problems)
  const { country, number, from } = given
  const scheme = given.scheme as RegistrationScheme
  const now = realNow()
  const id = newId('registration_', now)
  const region = given.region ?? ''
  const added: Registration = { id, country, region, number, scheme, from, until: given.until ?? null }
  await db().$transaction(async (sql) => {
    await store.lockRegistrations(sql)
    if ((await store.allRegistrations(sql)).some((each) => overlaps(each, added)))
      throw invalid('from', ruleProblem('registration_overlaps'))
    await store.insertRegistration(sql, added, now)
    await writeAudit(sql, by, { action: 'registration.add', subject: id, before: null, after: added })
  })
  return added
}

export async function endRegistration(id: string, until: string, by: Actor = commandLine()): Promise<Registration> {
  return db().$transaction(async (sql) => {
    await store.lockRegistrations(sql)
    const before = (await store.allRegistrations(sql)).find((each) => each.id === id)
    if (!before) throw new Refusal('not_found')
    if (!isDay(until)) throw invalid('until', notADay)
    if (until < before.from) throw invalid('until', ruleProblem('before_day', { day: { day: before.from } }))
    if (before.until !== null && until > before.until)
      throw invalid('until', ruleProblem('after_day', { day: { day: before.until } }))
    await store.saveLastDay(sql, id, until)
    const after = { ...before, until }
    await writeAudit(sql, by, { action: 'registration.end', subject: id, before, after })
    return after
  })
}

const notADay = ruleProblem('day')

function problemsOf({ country, region = '', number, scheme, from, until }: NewRegistration): FieldErrors {
  return {
    ...(!isCountry(country) && { country: [ruleProblem('country_code')] }),
    ...(isCountry(country) &&
      !hasRates(country) && {
        country: [ruleProblem(country === 'US' ? 'country_us' : 'country_without_rates')],
      }),
    ...(region !== '' &&
      !(country === 'CA' && provincesWithOwnTax.includes(region)) && {
        region: [ruleProblem('canadian_province', { provinces: provincesWithOwnTax.join(', ') })],
      }),
    ...((number === '' || number.length > 50) && { number: [ruleProblem('characters', { least: 1, most: 50 })] }),
    ...(hasWrongCheckDigits(number) && { number: [ruleProblem('vat_check_digits')] }),
    ...(!['local', 'oss', 'ioss'].includes(scheme) && {
      scheme: [ruleProblem('listed', { values: 'local, oss, ioss' })],
    }),
    ...(!isDay(from) && { from: [notADay] }),
    ...(until !== undefined && !isDay(until) && { until: [notADay] }),
    ...(until !== undefined && isDay(until) && until < from && { until: [ruleProblem('before_first_day')] }),
  }
}

const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const overlaps = (a: Registration, b: Registration): boolean =>
  a.country === b.country &&
  a.region === b.region &&
  a.scheme === b.scheme &&
  a.from <= (b.until ?? '9999') &&
  b.from <= (a.until ?? '9999')
