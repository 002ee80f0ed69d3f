import { expect, it } from 'vitest'
import { readRates } from './read.ts'

const file = (cubes: string, time = "time='2026-11-20'") => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject><Cube><Cube ${time}>${cubes}</Cube></Cube></gesmes:Envelope>`

it('the ECB reader returns the rates of one day', () => {
  const [read, ...others] = readRates(
    file('<Cube currency=\'USD\' rate=\'1.0867\'/><Cube currency="JPY" rate="161.25"/>'),
  )
  expect(others).toEqual([])
  expect(read?.day).toBe('2026-11-20')
  expect(Object.fromEntries(read?.rates ?? [])).toEqual({ USD: '1.0867', JPY: '161.25' })
})

it('the ECB reader returns the rates of each day in a history file, except days with a rate of zero', () => {
  const day = (day: string, rate: string) => `<Cube time="${day}"><Cube currency="USD" rate="${rate}"/></Cube>`
  const past = `<gesmes:Envelope><Cube>${day('2026-11-20', '1.2')}${day('2026-11-19', '0')}${day('2026-11-18', '1.1')}</Cube>`
  expect(readRates(past)).toEqual([
    { day: '2026-11-20', rates: new Map([['USD', '1.2']]) },
    { day: '2026-11-18', rates: new Map([['USD', '1.1']]) },
  ])
})

it.each([
  ['', 'an empty text'],
  ['<html>not found</html>', 'another page'],
  [file(''), 'a file with a day without rates'],
  [file("<Cube currency='USD' rate='0'/>"), 'a file with a rate of zero'],
  [file("<Cube currency='USD' rate='-1.1'/>"), 'a file with a negative rate'],
  [file("<Cube currency='USD' rate='1e3'/>"), 'a file with a number in scientific notation'],
  [file("<Cube currency='USD' rate='1.08'/>", ''), 'a file with rates without a day'],
])('the ECB file %j has no usable rates, because it is %s', (xml) => {
  expect(readRates(xml)).toEqual([])
})
