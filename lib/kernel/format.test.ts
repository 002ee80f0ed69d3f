import { describe, expect, it } from 'vitest'
import {
  countryName,
  currencyName,
  day,
  dayAndTime,
  dayOfMonth,
  days,
  languageName,
  listText,
  money,
  monthAndYear,
  percent,
  plainDay,
  shareText,
  shortDay,
  shortDayAndTime,
  shortMonth,
  taxName,
  timeSpan,
  weekdayName,
  wholeNumber,
  withTwoDecimals,
} from './format.ts'

const read = (text: string) => text.replaceAll(/\s/g, ' ')

describe('formatted values', () => {
  it.each([
    ['en', '€1,234.50'],
    ['de', '1.234,50 €'],
    ['fr', '1 234,50 €'],
    ['pl', '1234,50 €'],
  ] as const)('in the language %s, 1234.50 EUR is written as %s', (locale, shown) => {
    expect(read(money({ value: '1234.50', currency: 'EUR' }, locale))).toBe(shown)
  })

  it.each([
    ['nl', '€ 12,10'],
    ['es', '12,10 €'],
    ['it', '12,10 €'],
    ['pt', '12,10 €'],
  ] as const)('in the language %s, 12.10 EUR is written as %s', (locale, shown) => {
    expect(read(money({ value: '12.10', currency: 'EUR' }, locale))).toBe(shown)
  })

  it('an amount beyond the precision of a JavaScript number is formatted exactly', () => {
    expect(money({ value: '12345678901234567.89', currency: 'EUR' }, 'en')).toBe('€12,345,678,901,234,567.89')
    expect(money({ value: '0.00400000', currency: 'EUR' }, 'en')).toBe('€0.004')
  })

  it('a day and a time are formatted in UTC if no time zone is given', () => {
    expect(plainDay('2026-12-20T00:30:00Z', 'en')).toBe('20 December 2026')
    expect(plainDay('2026-12-20T23:30:00Z', 'pl')).toBe('20 grudnia 2026')
    expect(read(dayAndTime('2026-12-20T09:30:00Z', 'en'))).toBe('20 December 2026 at 09:30 UTC')
  })

  it.each([
    ['en', '22_December_2026', '22_December_2026 at_09:30_UTC', '22_Dec_2026 – 19_Jan_2027'],
    ['de', '22._Dezember_2026', '22._Dezember_2026 um_09:30_UTC', '22.12.2026 – 19.01.2027'],
    ['fr', '22_décembre_2026', '22_décembre_2026 à_09:30_UTC', '22_déc._2026 – 19_janv._2027'],
    ['nl', '22_december_2026', '22_december_2026 om_09:30_UTC', '22_dec_2026 – 19_jan_2027'],
    ['es', '22_de_diciembre_de_2026', '22_de_diciembre_de_2026 a_las_09:30_UTC', '22_dic_2026 – 19_ene_2027'],
    ['it', '22_dicembre_2026', '22_dicembre_2026 alle_ore_09:30_UTC', '22_dic_2026 – 19_gen_2027'],
    ['pt', '22_de_dezembro_de_2026', '22_de_dezembro_de_2026 às_09:30_UTC', '22/12/2026 – 19/01/2027'],
    ['pl', '22_grudnia_2026', '22_grudnia_2026 09:30_UTC', '22_gru_2026–19_sty_2027'],
  ] as const)('in the language %s, a date has no space at which a line can break', (locale, date, moment, range) => {
    const breaks = (text: string) => text.replaceAll('\u00a0', '_').replaceAll('\u2009', ' ')
    expect(breaks(day('2026-12-22T09:30:00Z', locale))).toBe(date)
    expect(breaks(dayAndTime('2026-12-22T09:30:00Z', locale))).toBe(moment)
    expect(breaks(days('2026-12-22T09:30:00Z', '2027-01-19T00:00:00Z', locale))).toBe(range)
  })

  it('a range of days shows a shared year once, and a range of one day shows that day', () => {
    const from = '2026-11-20T23:59:59Z'
    expect(read(days(from, '2026-12-19T00:00:00Z', 'en'))).toBe('20 Nov – 19 Dec 2026')
    expect(read(days(from, '2027-01-19T00:00:00Z', 'fr'))).toBe('20 nov. 2026 – 19 janv. 2027')
    expect(read(days(from, '2027-01-19T00:00:00Z', 'de'))).toBe('20.11.2026 – 19.01.2027')
    expect(read(days(from, from, 'pl'))).toBe('20 lis 2026')
  })

  it('a time is formatted in a given time zone', () => {
    expect(read(dayAndTime('2026-12-20T23:30:00Z', 'en', 'Europe/Amsterdam'))).toBe('21 December 2026 at 00:30 CET')
    expect(read(day('2026-12-20T23:30:00Z', 'en', 'Europe/Amsterdam'))).toBe('21 December 2026')
    expect(read(day('2026-12-20T23:30:00Z', 'en', null))).toBe('20 December 2026')
  })

  it.each([
    ['en', '31 Dec 2026', '31 Dec 2026, 23:30', 'December 2026', 'Dec', '31 Dec', 'Monday'],
    ['de', '31.12.2026', '31.12.2026, 23:30', 'Dezember 2026', 'Dez', '31. Dez.', 'Montag'],
    ['fr', '31 déc. 2026', '31 déc. 2026, 23:30', 'décembre 2026', 'déc.', '31 déc.', 'lundi'],
  ] as const)('in the language %s, short dates and their parts are in UTC', (locale, ...shown) => {
    const moment = '2026-12-31T23:30:00Z'
    const parts = [shortDay, shortDayAndTime, monthAndYear, shortMonth, dayOfMonth].map((each) => each(moment, locale))
    expect([...parts, weekdayName(1, locale)].map(read)).toEqual(shown)
  })

  it.each([
    ['en', '99.8%', '1,234.50', '3 hours', 'a, b and c', 'Polish'],
    ['de', '99,8 %', '1.234,50', '3 Stunden', 'a, b und c', 'Polnisch'],
    ['pt', '99,8%', '1234,50', '3 horas', 'a, b e c', 'Polaco'],
  ] as const)('in the language %s, shares, durations, lists, and languages are written as text', (locale, ...shown) => {
    expect(
      [
        shareText(0.9975, locale),
        withTwoDecimals('1234.5', locale),
        timeSpan(3, 'hour', locale),
        listText(['a', 'b', 'c'], locale),
        languageName('pl', locale),
      ].map(read),
    ).toEqual(shown)
    expect(timeSpan(1, 'minute', 'en')).toBe('1 minute')
  })

  it('percentages, numbers, and names of countries, currencies, and taxes are in the given language', () => {
    expect(percent(9.975, 'en')).toBe('9.975%')
    expect(wholeNumber(12_000, 'de')).toBe('12.000')
    expect(countryName('NL', 'de')).toBe('Niederlande')
    expect(currencyName('EUR', 'en')).toBe('Euro')
    expect(taxName('GST', (key) => `the word for ${key}`)).toBe('the word for gst')
    expect(taxName('Moms', (key) => key)).toBe('Moms')
  })
})
