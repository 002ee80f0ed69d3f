import { describe, expect, it } from 'vitest'
import { addressLines } from './address.ts'

const typed = {
  streetAndNumber: 'Street 1',
  streetAdditional: 'Floor 2',
  postalCode: '12345',
  city: 'Town',
  region: 'Region',
}

describe('postal addresses', () => {
  it.each([
    ['DE', ['12345 Town', 'Region']],
    ['AT', ['12345 Town', 'Region']],
    ['NL', ['12345 Town', 'Region']],
    ['PL', ['12345 Town', 'Region']],
    ['ES', ['12345 Town', 'Region']],
    ['IT', ['12345 Town Region']],
    ['LV', ['Region', 'Town, 12345']],
    ['MT', ['Town 12345', 'Region']],
    ['GB', ['Town', 'Region', '12345']],
    ['IE', ['Town', 'Region', '12345']],
    ['US', ['Town, Region 12345']],
    ['CA', ['Town Region 12345']],
    ['AU', ['Town Region 12345']],
    ['JP', ['Town, Region 12345']],
    ['BR', ['Town - Region', '12345']],
    ['IN', ['Town 12345', 'Region']],
    [null, ['12345 Town', 'Region']],
    ['constructor', ['12345 Town', 'Region']],
  ])('an address in %s ends with town, region, and postal code in the local order', (country, lines) => {
    expect(addressLines(typed, country)).toEqual(['Street 1', 'Floor 2', ...lines])
  })

  it('an address in Hungary begins with the town', () => {
    expect(addressLines(typed, 'HU')).toEqual(['Town', 'Street 1', 'Floor 2', '12345', 'Region'])
  })

  it.each([
    ['US', { region: null }, ['Town 12345']],
    ['US', { city: null }, ['Region 12345']],
    ['US', { city: null, region: null }, ['12345']],
    ['US', { postalCode: null }, ['Town, Region']],
    ['GB', { region: null }, ['Town', '12345']],
    ['DE', { postalCode: null, region: null }, ['Town']],
    ['DE', { postalCode: '', city: null, region: '' }, []],
  ])('an address in %s with the missing parts %j has no stray separator', (country, missing, lines) => {
    expect(addressLines({ ...typed, ...missing }, country)).toEqual(['Street 1', 'Floor 2', ...lines])
  })
})
