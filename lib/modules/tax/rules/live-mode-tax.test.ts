import { describe, expect, it } from 'vitest'
import { aRegistration } from '../examples.ts'
import { needsCheck, registryFor, type taxInLiveMode } from './live-mode-tax.ts'
import type { Registration } from './registration.ts'
import { noTaxFacts, type TaxFacts, type TaxIdResult } from './tax-facts.ts'
import { taxFor } from './tax-for.ts'

const rules = taxFor({ testmode: false })
const on = new Date('2026-11-23T12:00:00Z')
const sale = { buyerCountry: 'NL', sellerCountry: 'NL', taxId: null, on }
const shown = (given: Partial<Parameters<typeof taxInLiveMode>[0]>) => {
  const { reason, rates } = rules.decide({ ...sale, ...given })
  return `${reason}: ${rates.map(({ name, percentage }) => `${name} ${percentage}`).join(', ')}`
}

describe('consumers in the EU', () => {
  it.each([
    ['DE', null, 'VAT 19'],
    ['MC', '98000', 'VAT 20'],
    ['PT', '1000-001', 'VAT 23'],
    ['PT', '9000-001', 'VAT 22'],
    ['PT', '9400', 'VAT 22'],
    ['PT', '9500-150', 'VAT 16'],
    ['FR', '75001', 'VAT 20'],
    ['FR', '20000', 'VAT 20'],
    ['ES', '28001', 'VAT 21'],
    ['ES', '07001', 'VAT 21'],
    ['IT', '20121', 'VAT 22'],
    ['DE', '78267', 'VAT 19'],
    ['GR', '10563', 'VAT 24'],
    ['FI', '00100', 'VAT 25.5'],
    ['DK', '4000', 'VAT 25'],
  ])('a consumer in the country %s with the postal code %s pays %s', (buyerCountry, postalCode, rates) => {
    expect(shown({ buyerCountry, postalCode })).toBe(`standard: ${rates}`)
  })

  it('a consumer in the EU pays the rate on the day of the sale', () => {
    const rateOn = (day: string) => shown({ buyerCountry: 'SK', on: new Date(day) })
    expect([rateOn('2024-12-31T23:59:59Z'), rateOn('2025-01-01T00:00:00Z')]).toEqual([
      'standard: VAT 20',
      'standard: VAT 23',
    ])
  })

  it('a seller outside the EU charges a consumer in the EU the VAT of the consumer’s country', () => {
    expect(shown({ buyerCountry: 'DE', sellerCountry: 'CH' })).toBe('standard: VAT 19')
  })
})

describe('places outside the EU VAT area', () => {
  it.each([
    ['Canary Islands', 'ES', '35001'],
    ['Canary Islands', 'ES', '38 430'],
    ['Ceuta', 'ES', '51001'],
    ['Melilla', 'ES', '52006'],
    ['Livigno', 'IT', '23041'],
    ['Livigno', 'IT', 'I-23041'],
    ["Campione d'Italia", 'IT', '22061'],
    ['Büsingen', 'DE', 'D-78266'],
    ['Greenland', 'DK', '3900'],
    ['Greenland', 'DK', '3911'],
    ['Greenland', 'GL', '3900'],
    ['San Marino', 'IT', '47890'],
    ['Vatican City', 'IT', '00120'],
    ['Heligoland', 'DE', '27498'],
    ['Åland', 'FI', '22100'],
    ['Åland', 'AX', '22100'],
    ['Mount Athos', 'GR', '630 86'],
    ['Guadeloupe', 'FR', '97110'],
    ['French Guiana', 'FR', '97300'],
    ['Mayotte', 'YT', '97600'],
    ['Tahiti', 'FR', '98714'],
    ['Northern Ireland, for services', 'GB', 'BT1 1AA'],
    ['the Isle of Man', 'IM', 'IM1 1AA'],
    ['Switzerland', 'CH', '8001'],
    ['the United States', 'US', '10001'],
    ['Canada', 'CA', 'H2X 1Y4'],
    ['San Marino', 'SM', '47890'],
  ])(
    'a seller without a registration charges no tax to a buyer in %s (%s, postal code %s)',
    (_, buyerCountry, postalCode) => {
      expect(shown({ buyerCountry, postalCode })).toBe('outside_scope: Outside scope 0')
    },
  )
})

const registered = (...registrations: Registration[]): TaxFacts => ({ ...noTaxFacts, registrations })

describe('registered sellers and domestic sales', () => {
  const canada = aRegistration('CA')
  it.each([
    ['GB', 'SW1A 1AA', [aRegistration('GB')], 'standard: VAT 20'],
    ['GB', 'BT1 1AA', [aRegistration('GB')], 'standard: VAT 20'],
    ['IM', null, [aRegistration('GB')], 'standard: VAT 20'],
    ['CH', null, [aRegistration('CH')], 'standard: VAT 8.1'],
    ['LI', null, [aRegistration('CH')], 'standard: VAT 8.1'],
    ['NO', null, [aRegistration('NO')], 'standard: VAT 25'],
    ['RE', '97400', [aRegistration('FR')], 'standard: VAT 8.5'],
    ['FR', '97400', [aRegistration('FR')], 'standard: VAT 8.5'],
    ['GF', '97300', [aRegistration('FR')], 'outside_scope: Outside scope 0'],
    ['ES', '35001', [aRegistration('ES')], 'outside_scope: Outside scope 0'],
    ['FR', '97400', [aRegistration('FR', { scheme: 'oss' })], 'outside_scope: Outside scope 0'],
    ['US', '10001', [aRegistration('US')], 'outside_scope: Outside scope 0'],
    ['CA', 'T2P 1J9', [canada], 'standard: GST 5'],
    ['CA', 'M5V 2T6', [canada], 'standard: HST 13'],
    ['CA', 'B3H 1A1', [canada], 'standard: HST 14'],
    ['CA', 'E1A 1A1', [canada], 'standard: HST 15'],
    ['CA', 'H2X 1Y4', [canada], 'standard: GST 5'],
    ['CA', 'h2x1y4', [canada, aRegistration('CA', { region: 'QC' })], 'standard: GST 5, QST 9.975'],
    ['CA', 'H2X 1Y4', [aRegistration('CA', { region: 'QC' })], 'standard: QST 9.975'],
    ['CA', 'V5K 0A1', [canada, aRegistration('CA', { region: 'BC' })], 'standard: GST 5, PST 7'],
    ['CA', 'S4P 0A1', [canada, aRegistration('CA', { region: 'SK' })], 'standard: GST 5, PST 6'],
    ['CA', 'R3C 0A1', [canada, aRegistration('CA', { region: 'MB' })], 'standard: GST 5, RST 7'],
    ['CA', 'V5K 0A1', [canada, aRegistration('CA', { region: 'QC' })], 'standard: GST 5'],
    ['CA', null, [canada], 'standard: GST 5'],
  ])(
    'the registrations of a seller decide the tax of a buyer in %s, postal code %s: $3',
    (buyerCountry, postalCode, registrations, expected) => {
      expect(shown({ buyerCountry, postalCode, facts: registered(...registrations) })).toBe(expected)
    },
  )

  it('a seller collects the local tax from the first to the last day of a registration', () => {
    const facts = registered(aRegistration('GB', { from: '2026-11-01', until: '2026-11-30' }))
    const day = (day: string) => shown({ buyerCountry: 'GB', facts, on: new Date(day) }).slice(0, 8)
    expect(['2026-10-31T23:59:59Z', '2026-11-01', '2026-11-30T23:59:59Z', '2026-12-01'].map(day)).toEqual([
      'outside_',
      'standard',
      'standard',
      'outside_',
    ])
  })

  it.each([
    ['GB', null, 'standard: VAT 20'],
    ['CA', 'M5V 2T6', 'standard: HST 13'],
    ['US', '10001', 'outside_scope: Outside scope 0'],
  ])('a seller in %s charges a domestic buyer with the postal code %s: %s', (country, postalCode, expected) => {
    expect(shown({ buyerCountry: country, sellerCountry: country, postalCode })).toBe(expected)
  })
})

describe('tax IDs', () => {
  const facts = (taxId: string, result: TaxIdResult, acceptsUnknown = false): TaxFacts => ({
    ...noTaxFacts,
    taxIdResults: { [taxId]: result },
    acceptsUnknown,
  })
  const german = 'DE136695976'
  it.each([
    ['that is valid', 'DE', 'NL', german, facts(german, 'valid'), 'reverse_charge'],
    ['that is valid and typed with blanks', 'DE', 'NL', 'de 136 695 976', facts(german, 'valid'), 'reverse_charge'],
    ...[
      '\u200eDE136695976',
      'DE136695976\u200b',
      '\u202aDE136695976\u202c',
      '\u2060DE136695976',
      'DE\u2013136695976',
      '\uff24\uff25\uff11\uff13\uff16\uff16\uff19\uff15\uff19\uff17\uff16',
      'DE (136) 695:976',
    ].map(
      (typed) => ['that is valid and pasted', 'DE', 'NL', typed, facts(german, 'valid'), 'reverse_charge'] as const,
    ),
    ...['BE 428.759.497', 'BE (0)428.759.497'].map(
      (typed) => ['that is Belgian', 'BE', 'NL', typed, facts('BE0428759497', 'valid'), 'reverse_charge'] as const,
    ),
    ['that is valid, with a seller outside the EU', 'DE', 'CH', german, facts(german, 'valid'), 'reverse_charge'],
    ['that is valid in the seller’s country', 'DE', 'DE', german, facts(german, 'valid'), 'domestic'],
    ['of Monaco, with a seller in France', 'MC', 'FR', 'FR53000004605', facts('FR53000004605', 'valid'), 'domestic'],
    ['that is Greek', 'GR', 'NL', 'GR094259216', facts('EL094259216', 'valid'), 'reverse_charge'],
    ['that is invalid', 'DE', 'NL', german, facts(german, 'invalid'), 'not_confirmed'],
    [
      'that is invalid, if unknown tax IDs are accepted',
      'DE',
      'NL',
      german,
      facts(german, 'invalid', true),
      'not_confirmed',
    ],
    ['that is unknown', 'DE', 'NL', german, facts(german, 'unknown'), 'not_confirmed'],
    [
      'that was never checked, if unknown tax IDs are accepted',
      'DE',
      'NL',
      german,
      facts('DE1', 'unknown', true),
      'not_confirmed',
    ],
    [
      'that is unknown, if unknown tax IDs are accepted',
      'DE',
      'NL',
      german,
      facts(german, 'unknown', true),
      'reverse_charge',
    ],
    ['that was never checked', 'DE', 'NL', german, noTaxFacts, 'not_confirmed'],
    ['that differs from the checked tax ID', 'DE', 'NL', 'DE123456788', facts(german, 'valid'), 'not_confirmed'],
    ['with a wrong check digit', 'DE', 'NL', 'DE136695978', facts('DE136695978', 'valid'), 'not_confirmed'],
    ['of another country', 'AT', 'NL', german, facts(german, 'valid'), 'not_confirmed'],
    ['of a country outside the EU', 'US', 'NL', '12-3456789', noTaxFacts, 'none'],
    ['that is missing', 'DE', 'NL', null, noTaxFacts, 'none'],
  ] as const)(
    'in live mode, a tax ID %s (buyer in %s, seller in %s, entered as %j) has the effect $5',
    (_, buyerCountry, sellerCountry, taxId, given, effect) => {
      const asked = { ...sale, buyerCountry, sellerCountry, taxId, facts: given }
      expect(rules.taxIdEffect(asked)).toBe(effect)
      expect(rules.decide(asked).reason === 'reverse_charge').toBe(effect === 'reverse_charge')
    },
  )

  it('a Spanish tax ID causes no reverse charge in the Canary Islands, where no VAT is due', () => {
    const taxId = 'ESB58378431'
    const asked = { buyerCountry: 'ES', postalCode: '35001', taxId, facts: facts(taxId, 'valid') }
    expect(shown(asked)).toBe('outside_scope: Outside scope 0')
  })

  const british = 'GB980780684'
  const registeredThere: Registration[] = [
    { id: 'r', country: 'GB', region: '', number: 'GB123456782', scheme: 'local', from: '2026-01-01', until: null },
  ]
  const ended = registeredThere.map((each) => ({ ...each, until: '2026-11-22' }))

  it.each([
    ['that is valid', facts(british, 'valid'), registeredThere, 'reverse_charge', 'reverse_charge: Reverse charge 0'],
    ['that is invalid', facts(british, 'invalid'), registeredThere, 'not_confirmed', 'standard: VAT 20'],
    ['that is unknown', facts(british, 'unknown'), registeredThere, 'not_confirmed', 'standard: VAT 20'],
    [
      'that is unknown, if unknown tax IDs are accepted',
      facts(british, 'unknown', true),
      registeredThere,
      'reverse_charge',
      'reverse_charge: Reverse charge 0',
    ],
    ['that was never checked', noTaxFacts, registeredThere, 'none', 'standard: VAT 20'],
    [
      'that is valid, after the end of the seller’s registration',
      facts(british, 'valid'),
      ended,
      'none',
      'outside_scope: Outside scope 0',
    ],
    [
      'that is valid, without a registration of the seller',
      facts(british, 'valid'),
      [],
      'none',
      'outside_scope: Outside scope 0',
    ],
    [
      'that is invalid, without a registration of the seller',
      facts(british, 'invalid'),
      [],
      'none',
      'outside_scope: Outside scope 0',
    ],
  ] as const)(
    'in live mode, a British tax ID %s has the effect $3 and the tax $4',
    (_, given, registrations, effect, rates) => {
      const asked = {
        ...sale,
        buyerCountry: 'GB',
        taxId: british,
        facts: { ...given, registrations, readOn: '2026-11-23' },
      }
      expect(rules.taxIdEffect(asked)).toBe(effect)
      expect(shown(asked)).toBe(rates)
    },
  )

  it('a British tax ID has the same effect for a buyer in the Isle of Man as for a buyer in Great Britain', () => {
    const given = { ...facts(british, 'valid'), registrations: registeredThere, readOn: '2026-11-23' }
    const asked = { ...sale, buyerCountry: 'IM', taxId: british, facts: given }
    expect(rules.taxIdEffect(asked)).toBe('reverse_charge')
    expect(shown(asked)).toBe('reverse_charge: Reverse charge 0')
    expect(rules.taxIdEffect({ ...asked, taxId: german })).toBe('not_confirmed')
    expect(rules.taxIdValidity(german, 'IM')).toBe('not_accepted')
  })

  it.each([
    ['GB', 'GB'],
    ['GB', 'IM'],
    ['IM', 'GB'],
  ])(
    'a British tax ID causes no reverse charge between a seller in %s and a buyer in %s',
    (sellerCountry, buyerCountry) => {
      const asked = { sellerCountry, buyerCountry, taxId: british, facts: facts(british, 'valid') }
      expect(shown({ ...asked, facts: { ...asked.facts, registrations: registeredThere, readOn: '2026-11-23' } })).toBe(
        'standard: VAT 20',
      )
    },
  )

  it.each([
    ['DE', german, 'NL', 'vies'],
    ['DE', german, 'DE', null],
    ['DE', 'DE136695978', 'NL', null],
    ['GB', british, 'NL', 'hmrc'],
    ['GB', 'XI980780684', 'NL', 'hmrc'],
    ['GB', british, 'GB', null],
    ['IM', british, 'NL', 'hmrc'],
    ['IM', british, 'GB', null],
    ['GB', british, 'IM', null],
    ['GB', 'GB980780685', 'NL', null],
    ['GB', null, 'NL', null],
    ['GB', german, 'NL', null],
    ['US', '12-3456789', 'NL', null],
  ] as const)(
    'for a buyer in %s with the tax ID %s and a seller in %s, the registry that checks the tax ID is %s',
    (buyerCountry, taxId, sellerCountry, registry) => {
      expect(registryFor({ buyerCountry, taxId, sellerCountry })).toBe(registry)
    },
  )

  it('VIES checks a tax ID only if the tax of the sale depends on the tax ID', () => {
    expect(needsCheck({ ...sale, buyerCountry: 'DE', taxId: german })).toBe(true)
    expect(needsCheck({ ...sale, buyerCountry: 'DE', sellerCountry: 'DE', taxId: german })).toBe(false)
    expect(needsCheck({ ...sale, buyerCountry: 'GB', taxId: 'GB980780684' })).toBe(false)
    expect(needsCheck({ ...sale, buyerCountry: 'DE', taxId: 'DE136695978' })).toBe(false)
  })

  it.each([
    ['GR', null, 'EL123456789'],
    ['MC', null, 'FR12345678901'],
    ['IM', null, 'GB123456789'],
    ['GR', 'gr 094259216', null],
  ])('the tax ID example for a buyer in %s who entered %s is %s', (country, taxId, example) => {
    expect(rules.taxIdExample(taxId, country)).toBe(example)
  })

  it('taxIdValidity accepts a tax ID with correct check digits', () => {
    expect([null, german, 'DE136695978'].map((taxId) => rules.taxIdValidity(taxId, 'DE'))).toEqual([
      'none',
      'accepted',
      'not_accepted',
    ])
  })
})
