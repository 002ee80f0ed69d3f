import { describe, expect, test } from 'vitest'
import { countries } from '@/lib/kernel/countries.ts'
import { countryOptions } from './countries.ts'

const options = (html: string) => [...html.matchAll(/<option value="([A-Z]*)"( selected="")?>([^<]+)<\/option>/g)]

describe('the options of a country', () => {
  test('the country options list every country in the alphabetical order of the language, and select the chosen country', () => {
    const html = countryOptions('de', { chosen: 'AT', placeholder: 'Wählen' })
    const found = options(html)
    expect(found.map(([each]) => each).join('')).toBe(html)
    expect(found.map(([, code]) => code).sort()).toEqual([...countries].sort())
    expect(found.filter(([, , selected]) => selected).map(([, code, , name]) => [code, name])).toEqual([
      ['AT', 'Österreich'],
    ])
    expect(found[0]?.[3]).toBe('Afghanistan')
    expect(found.findIndex(([, code]) => code === 'AT')).toBeLessThan(found.findIndex(([, code]) => code === 'PL'))
  })

  test('the country options begin with the placeholder if no country is chosen', () => {
    const [first, ...others] = options(countryOptions('en', { chosen: '', placeholder: 'Choose' }))
    expect(first?.slice(1)).toEqual(['', ' selected=""', 'Choose'])
    expect(others).toHaveLength(countries.length)
  })

  test.each(['XX', 'AT">Austria</option><option value="', '<b>'])(
    'the country options ignore the value %s',
    (chosen) => {
      const html = countryOptions('en', { chosen, placeholder: 'Choose' })
      expect(html).toBe(countryOptions('en', { chosen: 'none', placeholder: '' }))
      expect(html).not.toContain('<b>')
    },
  )
})
