import { amount } from '../kernel/money.ts'
import { decimalOf } from '../kernel/typed-amount.ts'
import { isOnSale } from '../modules/catalog/rules/index.ts'
import { pageOfProducts } from '../modules/catalog/store.ts'
import { checkoutLinkLines, type ProductOption } from '../modules/checkouts/page.ts'
import { db } from '../platform/db/db.ts'
import type { Access } from './access.ts'

interface Lines {
  readonly list: 'products' | 'items'
  readonly fields: readonly string[]
}

const mostOptions = 100

export async function productOptions({ tenant }: Access): Promise<ProductOption[]> {
  const of = async (kind: Parameters<typeof pageOfProducts>[2]) =>
    (await pageOfProducts(db(), tenant, kind, { limit: mostOptions }, false)).rows.filter(isOnSale)
  const products = [...(await of('subscription_plan')), ...(await of('one_off_product'))]
  return products.map(({ id, terms: { name, price, billingInterval }, taxBehavior }) => ({
    id,
    name,
    price: amount(price.minor, price.currency),
    taxBehavior,
    interval: billingInterval && { unit: billingInterval.interval, count: billingInterval.intervalCount },
  }))
}

/** Whether a line contains entered values. The quantity 1 does not count, because the form fills it in. */
const isUsed = (values: URLSearchParams, line: number, { list, fields }: Lines) =>
  fields.some((field) => {
    const typed = (values.get(`${list}.${line}.${field}`) ?? '').trim()
    return typed !== '' && !(field === 'quantity' && typed === '1')
  })

/** Moves the filled-in lines of a form to the beginning, so that line numbers in API errors match the returned form. */
export function compacted(values: URLSearchParams, lines: Lines): URLSearchParams {
  const { list, fields } = lines
  const rest = [...values].filter(([name]) => !name.startsWith(`${list}.`))
  const used = checkoutLinkLines.filter((index) => isUsed(values, index, lines))
  const moved = used.flatMap((from, to) =>
    fields.map((field) => [`${list}.${to}.${field}`, (values.get(`${list}.${from}.${field}`) ?? '').trim()]),
  )
  return new URLSearchParams([...rest, ...moved] as [string, string][])
}

const numberIn = (value: string) => (/^\d{1,9}$/.test(value) ? Number(value) : value)

export function linesIn(values: URLSearchParams, { list, fields }: Lines): Record<string, unknown>[] {
  const used = checkoutLinkLines.filter((index) => values.has(`${list}.${index}.id`))
  return used.map((index) => {
    const typed = (name: string) => (values.get(`${list}.${index}.${name}`) ?? '').trim()
    const numbers = fields.filter((name) => name !== 'id' && name !== 'price.value' && typed(name) !== '')
    const price = typed('price.value')
    return {
      id: typed('id'),
      ...Object.fromEntries(numbers.map((name) => [name, numberIn(typed(name))])),
      ...(price !== '' && { price: { value: decimalOf(price, 'EUR'), currency: 'EUR' } }),
    }
  })
}
