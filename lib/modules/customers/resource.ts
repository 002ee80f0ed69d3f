import type { z } from 'zod'
import { pick } from '../../kernel/fields.ts'
import { toWire } from '../../kernel/moment.ts'
import { apiLink } from '../../platform/http/links.ts'
import { wireMetadata } from '../../platform/http/shapes.ts'
import { type CustomerShape, customerTexts } from './contract.ts'
import type { Customer } from './store.ts'

export const customerResource = (customer: Customer): z.infer<typeof CustomerShape> => ({
  id: customer.id,
  resource: 'customer',
  testmode: customer.testmode,
  email: customer.email,
  ...pick(customer, customerTexts),
  createdAt: toWire(customer.createdAt),
  metadata: wireMetadata(customer.metadata),
  links: { self: apiLink(`/customers/${customer.id}`) },
})
