import { describe, expect, it } from 'vitest'
import { countries } from '../../../kernel/countries.ts'
import { paymentMethods } from './method.ts'
import { methodsFor } from './offer.ts'

describe('payment methods', () => {
  it.each([
    ['NL', 'EUR', 'ideal creditcard paypal directdebit'],
    ['BE', 'EUR', 'bancontact creditcard paypal directdebit'],
    ['DE', 'EUR', 'paypal directdebit creditcard'],
    ['FR', 'EUR', 'creditcard paypal directdebit'],
    ['PL', 'EUR', 'creditcard paypal directdebit'],
    ['GB', 'EUR', 'creditcard paypal directdebit'],
    ['US', 'EUR', 'creditcard paypal'],
    ['US', 'USD', 'creditcard paypal'],
    ['NL', 'USD', 'creditcard paypal'],
    ['GB', 'GBP', 'creditcard paypal'],
    ['CH', 'CHF', 'creditcard paypal'],
    ['SE', 'SEK', 'creditcard paypal'],
    ['NO', 'NOK', 'creditcard paypal'],
    ['DK', 'DKK', 'creditcard paypal'],
    ['PL', 'PLN', 'creditcard paypal'],
    ['CA', 'CAD', 'creditcard paypal'],
    ['JP', 'EUR', 'creditcard paypal'],
    ['', 'EUR', 'creditcard ideal bancontact paypal directdebit'],
  ])('a buyer in %j who pays in %s is offered the methods %s in this order', (country, currency, offered) => {
    expect(methodsFor({ country, currency }).join(' ')).toBe(offered)
  })

  it.each([
    ['DE', 'EUR', 'ideal', 'paypal directdebit creditcard ideal'],
    ['DE', 'EUR', 'paypal', 'paypal directdebit creditcard'],
    ['US', 'USD', 'ideal', 'creditcard paypal'],
    ['DE', 'EUR', 'banktransfer', 'paypal directdebit creditcard'],
  ])(
    'a buyer in %s who pays in %s and chose %s before is offered the methods %s',
    (country, currency, chosen, offered) => {
      expect(methodsFor({ country, currency, chosen }).join(' ')).toBe(offered)
    },
  )

  it('bank transfer and pay by bank are offered last, if the provider has these methods', () => {
    const onOffer = paymentMethods
    expect(methodsFor({ country: 'DE', currency: 'EUR', onOffer }).slice(-2)).toEqual(['banktransfer', 'paybybank'])
    expect(methodsFor({ country: 'GB', currency: 'GBP', onOffer })).toEqual(['creditcard', 'paypal', 'paybybank'])
  })

  it('a payment method is not offered if the provider does not have it', () => {
    expect(methodsFor({ country: 'DE', currency: 'EUR', onOffer: ['creditcard'] })).toEqual(['creditcard'])
    expect(methodsFor({ country: 'DE', currency: 'EUR', chosen: 'ideal', onOffer: ['paypal'] })).toEqual(['paypal'])
    expect(methodsFor({ country: 'DE', currency: 'EUR', onOffer: [] })).toEqual([])
  })

  it.each(countries)('the payment methods for a buyer in %s include cards and have no duplicate', (country) => {
    const offered = methodsFor({ country, currency: 'EUR' })
    expect(offered).toContain('creditcard')
    expect(new Set(offered).size).toBe(offered.length)
    expect(offered.every((method) => paymentMethods.includes(method))).toBe(true)
  })
})
