// Creates the tables, taxes, a shipping method, and a payment method.
import { bootstrap } from '@vendure/core'
import { populateInitialData } from '@vendure/core/cli/index.js'
import { config } from './config.js'

const app = await bootstrap({ ...config, dbConnectionOptions: { ...config.dbConnectionOptions, synchronize: true } })
const settled = { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] }
await populateInitialData(app, {
  defaultLanguage: 'en',
  defaultZone: 'Europe',
  countries: [{ code: 'DE', name: 'Germany', zone: 'Europe' }],
  taxRates: [{ name: 'Standard', percentage: 19 }],
  shippingMethods: [{ name: 'Standard', price: 500 }],
  paymentMethods: [{ name: 'Card', handler: settled }],
  collections: [],
})
await app.close()
process.exit()
