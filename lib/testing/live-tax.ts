export const german = { country: 'DE', taxId: 'DE136695976' }
export const company = { companyName: 'Beispiel GmbH', streetAndNumber: 'Weg 1', postalCode: '10115', city: 'Berlin' }
export const buyer = { email: 'ada@example.com', fullName: 'Ada', paymentMethod: 'creditcard' }
export const visitor = { acceptLanguage: 'en', header: (name: string) => (name === 'cf-ipcountry' ? 'DE' : null) }
