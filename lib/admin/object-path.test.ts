import { expect, it } from 'vitest'
import { objectName, objectPath } from './object-path.ts'

const id = (prefix: string) => `${prefix}4Kx9pQ2mZt7RvW1yB6nD3s`

it.each([
  [id('order_'), '{}', `/x/orders/${id('order_')}`],
  [id('subscription_'), '{}', `/x/subscriptions/${id('subscription_')}`],
  [id('subscription_plan_'), '{}', `/x/catalog/${id('subscription_plan_')}`],
  [id('one_off_product_'), '{}', `/x/catalog/${id('one_off_product_')}`],
  [id('checkout_'), '{}', `/x/checkouts/${id('checkout_')}`],
  [id('refund_'), `{"object":{"originalOrderId":"${id('order_')}"}}`, `/x/orders/${id('order_')}`],
  [id('refund_'), '{"object":{}}', null],
  [id('mandate_'), '{}', null],
  ['order_1', '{}', null],
])('an event with the object id %s and the event body %s links to the URL %j', (entityId, body, url) => {
  expect(objectPath('/x', entityId, body)).toBe(url)
})

it.each([
  ['{"object":{"invoiceNumber":"INV-1","name":"Pro"}}', 'INV-1'],
  ['{"object":{"invoiceNumber":null,"name":"Pro","email":"a@b.example"}}', 'Pro'],
  ['{"object":{"name":null,"email":"a@b.example"}}', 'a@b.example'],
  ['{"object":{"name":"","total":{}}}', null],
  ['{}', null],
])('the name of the object in the event body %s is %j', (body, name) => {
  expect(objectName(body)).toBe(name)
})
