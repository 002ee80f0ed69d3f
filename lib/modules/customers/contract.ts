import { z } from 'zod'
import { canonicalEmail } from '../../kernel/email.ts'
import { isBlank } from '../../kernel/text.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import { id, LinkShape, Metadata, MetadataShape, text, WireMoment } from '../../platform/http/shapes.ts'

/** Parsed to its canonical form. */
export const Email = z
  .string()
  .refine((value) => canonicalEmail(value) !== null, {
    error: 'Must be an e-mail address such as "ada@example.com", with a domain that has a dot, at most 254 octets.',
  })
  .transform((value) => canonicalEmail(value) ?? value)

/** A name of blanks only is refused. */
const Name = text({ max: 255 })
  .transform((name) => (isBlank(name) ? null : name))
  .nullable()

export const CustomerId = id('customer_')

export const CustomerShape = z
  .object({
    id: z.string(),
    resource: z.literal('customer'),
    testmode: z.boolean(),
    email: z.string(),
    name: z.string().nullable(),
    createdAt: WireMoment,
    metadata: MetadataShape,
    links: z.object({ self: LinkShape }),
  })
  .meta({ id: 'Customer' })

const tag = 'Customers'
const params = z.object({ id: CustomerId })

export const listCustomers = endpoint({
  id: 'listCustomers',
  method: 'GET',
  path: '/v1/customers',
  tag,
  summary: 'List customers, newest first; with an e-mail address, those who hold it.',
  query: listQuery({ email: Email.optional() }),
  responses: { 200: listShape(CustomerShape) },
  refuses: ['validation_failed'],
})

export const createCustomer = endpoint({
  id: 'createCustomer',
  method: 'POST',
  path: '/v1/customers',
  tag,
  summary: 'Get or create the customer with an e-mail address. An existing one is answered unchanged.',
  body: z.object({ email: Email, name: Name.optional(), metadata: Metadata.nullish() }),
  responses: { 201: CustomerShape, 200: CustomerShape },
  refuses: [],
})

export const getCustomer = endpoint({
  id: 'getCustomer',
  method: 'GET',
  path: '/v1/customers/{id}',
  tag,
  summary: 'Get a customer.',
  params,
  responses: { 200: CustomerShape },
  refuses: ['not_found'],
})

export const updateCustomer = endpoint({
  id: 'updateCustomer',
  method: 'PATCH',
  path: '/v1/customers/{id}',
  tag,
  summary: 'Change the name or e-mail address of a customer. Billing details are changed in hosted flows only.',
  params,
  body: z.object({ name: Name.optional(), email: Email.optional() }),
  responses: { 200: CustomerShape },
  refuses: ['not_found'],
})
