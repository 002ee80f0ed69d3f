import { createBillhook, type Money } from '@billhook/sdk'

export const billhook = createBillhook({ baseUrl: process.env.BILLHOOK_URL, apiKey: process.env.BILLHOOK_KEY })

export const planId = () => process.env.PLAN_ID ?? ''
export const shopUrl = () => process.env.SHOP_URL ?? 'http://localhost:4000'

/** The API sends amounts as decimal strings. Pages show these amounts and never compute with them. */
export const shown = ({ value, currency }: Money): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(value as `${number}`)
