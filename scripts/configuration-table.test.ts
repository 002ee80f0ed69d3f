import { readFileSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { InvalidConfig, readConfig, variables } from '../lib/platform/config.ts'
import {
  configurationTables,
  defaultOf,
  meaningOf,
  neededForLive,
  rangeOf,
  sections,
  type Variable,
  withTables,
} from './configuration-table.ts'

const file = 'docs/configuration.md'
const names = Object.keys(variables.shape) as Variable[]

describe('docs/configuration.md', () => {
  it('docs/configuration.md contains all variables of the schema (npm run configuration writes it)', () => {
    const page = readFileSync(file, 'utf8')
    const expected = withTables(page)
    if (process.env.UPDATE_CONFIGURATION) writeFileSync(file, expected)
    else expect(page).toBe(expected)
  })

  it('docs/configuration.md lists each variable exactly once', () => {
    const rows = [...configurationTables().matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
    expect(rows.toSorted()).toEqual(names.toSorted())
  })

  it('docs/configuration.md explains each variable in full sentences', () => {
    expect(names.filter((name) => !/^[^|\n]{10,}[.`)]$/.test(meaningOf(name)))).toEqual([])
  })

  it('docs/configuration.md shows defaults in the notation of the environment variable', () => {
    const shown = (['PORT', 'FEE_PERCENT', 'FEE_FIXED', 'CHECKOUT_TTL', 'VIES_UNKNOWN', 'TEST_MAIL_TO'] as const).map(
      defaultOf,
    )
    expect(shown).toEqual(['3000', '5', '0.50', 'PT24H', 'accept', ''])
  })

  it('docs/configuration.md shows the permitted range of each number', () => {
    const isNumber = (name: Variable) => /^\d/.test(defaultOf(name)) || /(?:_DAYS|_YEARS|_PROCESSES)$/.test(name)
    const numbers = names.filter(isNumber)
    expect(numbers.length).toBeGreaterThan(25)
    expect(
      numbers.filter((name) => !/^ (?:From \d+ to \d+|0 for no limit|At most 2 decimals).*\.$/.test(rangeOf(name))),
    ).toEqual([])
    expect(rangeOf('EVENT_RETENTION_DAYS')).toBe(' From 90 to 3650, or 0 to keep events forever.')
    expect(rangeOf('DOCUMENT_RETENTION_YEARS')).toBe(' From 6 to 30.')
    expect(rangeOf('RATE_LIMIT_TEST')).toBe(' 0 for no limit.')
    expect(names.filter((name) => !isNumber(name) && rangeOf(name) !== '')).toEqual(['CHECKOUT_TTL'])
  })

  it('docs/configuration.md shows only defaults that the schema accepts', () => {
    const withDefault = names.filter((name) => defaultOf(name) !== '')
    expect(withDefault.length).toBeGreaterThan(20)
    expect(withDefault.filter((name) => !variables.shape[name].safeParse(defaultOf(name)).success)).toEqual([])
  })
})

describe('the ten variables for live sales', () => {
  const values: Partial<Record<Variable, string>> = {
    BILLHOOK_ENV: 'production',
    DATABASE_URL: 'postgresql://billhook@db/billhook',
    PUBLIC_BASE_URL: 'https://pay.example.com',
    SECRET_KEY: 'k'.repeat(32),
    SELLER_NAME: 'Lumen B.V.',
    SELLER_STREET: 'Keizersgracht 1',
    SELLER_POSTAL_CODE: '1015 CN',
    SELLER_CITY: 'Amsterdam',
    SELLER_VAT_ID: 'NL000099998B57',
    MOLLIE_API_KEY: 'live_abcdefgh',
  }

  it('docs/configuration.md lists the ten variables for live sales first, and these variables are enough to start in production', () => {
    expect(neededForLive).toHaveLength(10)
    expect(sections[0]?.names).toBe(neededForLive)
    expect(Object.keys(values).toSorted()).toEqual([...neededForLive].toSorted())
    expect(readConfig(values)).toMatchObject({ environment: 'production', mollie: { apiKey: 'live_abcdefgh' } })
  })

  it.each(neededForLive.filter((name) => name !== 'BILLHOOK_ENV' && name !== 'MOLLIE_API_KEY'))(
    'a start in production without %s is refused',
    (name) => {
      const { [name]: _, ...others } = values
      expect(() => readConfig(others)).toThrow(InvalidConfig)
    },
  )
})

it('.env.example names only variables that exist', () => {
  const example = readFileSync('.env.example', 'utf8').replaceAll(/^# (?=[A-Z_]+=)/gm, '')
  const named = Object.keys(parseEnv(example)).filter((name) => !name.startsWith('OTEL_'))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !(name in variables.shape))).toEqual([])
})
