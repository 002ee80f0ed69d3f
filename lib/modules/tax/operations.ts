import { isCountry } from '../../kernel/countries.ts'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import { cleanTaxId } from '../../kernel/tax-id.ts'
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
 * Writes to the audit log. Refuses `validation_failed`, also if the table has no rates for the country, or if a
 * registration of the same country, region, and scheme overlaps.
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
      throw invalid('from', 'Overlaps a registration of the same country, region and scheme.')
    await store.insertRegistration(sql, added, now)
    await writeAudit(sql, by, { action: 'registration.add', subject: id, before: null, after: added })
  })
  return added
}

/** Sets the last day of a registration. */
export async function endRegistration(id: string, until: string, by: Actor = commandLine()): Promise<Registration> {
  return db().$transaction(async (sql) => {
    await store.lockRegistrations(sql)
    const before = (await store.allRegistrations(sql)).find((each) => each.id === id)
    if (!before) throw new Refusal('not_found')
    if (!isDay(until)) throw invalid('until', notADay)
    if (until < before.from) throw invalid('until', `Must not be before the first day, ${before.from}.`)
    if (before.until !== null && until > before.until) throw invalid('until', `Has ended already, on ${before.until}.`)
    await store.saveLastDay(sql, id, until)
    const after = { ...before, until }
    await writeAudit(sql, by, { action: 'registration.end', subject: id, before, after })
    return after
  })
}

const notADay = 'Must be a day, such as 2026-11-23.'

function problemsOf({ country, region = '', number, scheme, from, until }: NewRegistration): FieldErrors {
  return {
    ...(!isCountry(country) && { country: ['Must be the two-letter code of a country in capitals, such as GB.'] }),
    ...(isCountry(country) &&
      !hasRates(country) && {
        country: [
          country === 'US'
            ? 'Has taxes by state, county and ZIP code: its rates are not in the table, so none can be collected.'
            : 'Has no rates in the table, so none can be collected.',
        ],
      }),
    ...(region !== '' &&
      !(country === 'CA' && provincesWithOwnTax.includes(region)) && {
        region: [`Is for provinces of Canada with a tax of their own: ${provincesWithOwnTax.join(', ')}.`],
      }),
    ...((number === '' || number.length > 50) && { number: ['Must have 1 to 50 characters.'] }),
    ...(!['local', 'oss', 'ioss'].includes(scheme) && { scheme: ['Must be one of local, oss, ioss.'] }),
    ...(!isDay(from) && { from: [notADay] }),
    ...(until !== undefined && !isDay(until) && { until: [notADay] }),
    ...(until !== undefined && isDay(until) && until < from && { until: ['Must not be before the first day.'] }),
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
