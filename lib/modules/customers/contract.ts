import { z } from 'zod'
import { canonicalEmail, customerEmail, erasedDomain } from '../../kernel/email.ts'
import { isBlank } from '../../kernel/text.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import { id, MetadataShape, OptionalMetadata, SelfLink, text, WireMoment } from '../../platform/http/shapes.ts'

export const Email = z
  .string()
  .refine((value) => canonicalEmail(value) !== null, {
    error: 'Must be an e-mail address such as "ada@example.com", with a domain that has a dot, at most 254 octets.',
  })
  .transform((value) => canonicalEmail(value) ?? value)

const NewEmail = Email.refine((email) => customerEmail(email) !== null, {
  error: `Must not be at ${erasedDomain}, where erased customers have their addresses.`,
})

const optionalText = (description: string) => ({
  shown: z.string().nullable().describe(description),
  sent: text({ max: 255 })
    .transform((value) => (isBlank(value) ? null : value))
    .nullable()
    .optional()
    .describe(`${description} Null clears it.`),
})

const texts = {
  name: optionalText('The name to show. Invoices do not use it.'),
}

export type CustomerText = keyof typeof texts
export const customerTexts = Object.keys(texts) as CustomerText[]

const formOf = <Form extends 'shown' | 'sent'>(form: Form) =>
  Object.fromEntries(Object.entries(texts).map(([name, each]) => [name, each[form]])) as {
    [Name in CustomerText]: (typeof texts)[Name][Form]
  }

export const CustomerId = id('customer_')

export const CustomerShape = z
  .object({
    id: z.string().describe('The id of this customer.'),
    resource: z.literal('customer').describe('The type of the resource.'),
    testmode: z.boolean().describe('Whether the customer belongs to test mode.'),
    email: z.string().describe('The email address in canonical form, with its domain in ASCII.'),
    ...formOf('shown'),
    createdAt: WireMoment.describe('When the customer was created.'),
    metadata: MetadataShape,
    links: z.object({ self: SelfLink }).describe('Links to related resources.'),
  })
  .meta({ id: 'Customer' })

const tag = 'Customers'
const params = z.object({ id: CustomerId })

export const listCustomers = endpoint({
  id: 'listCustomers',
  method: 'GET',
  path: '/v1/customers',
  scope: 'read_only',
  tag,
  summary: 'List customers.',
  description:
    'Returns the customers of the storefront and mode, newest first. With `email`, returns those who hold ' +
    'that address in canonical form.',
  query: listQuery({
    email: Email.optional().describe('An email address: only the customers who hold it are listed.'),
  }),
  responses: { 200: listShape(CustomerShape) },
  refuses: [],
})

export const createCustomer = endpoint({
  id: 'createCustomer',
  method: 'POST',
  path: '/v1/customers',
  scope: 'no_refunds',
  tag,
  summary: 'Get or create a customer.',
  description:
    'Answers 201 with a new customer, or 200 with the customer who holds the email address. An existing ' +
    'customer is not changed: `name` and `metadata` are ignored then. Sends no event.',
  body: z.object({
    email: NewEmail.describe('The email address. It is brought to canonical form.'),
    ...formOf('sent'),
    metadata: OptionalMetadata,
  }),
  responses: { 201: CustomerShape, 200: CustomerShape },
  refuses: [],
})

export const getCustomer = endpoint({
  id: 'getCustomer',
  method: 'GET',
  path: '/v1/customers/{id}',
  scope: 'read_only',
  tag,
  summary: 'Get a customer.',
  description: 'Returns a customer.',
  params,
  responses: { 200: CustomerShape },
  refuses: ['not_found'],
})

export const updateCustomer = endpoint({
  id: 'updateCustomer',
  method: 'PATCH',
  path: '/v1/customers/{id}',
  scope: 'no_refunds',
  tag,
  summary: 'Update a customer.',
  description:
    'Changes the name, the email address, or the metadata. Other fields are ignored: billing details change in hosted ' +
    'flows only. Sends no event. Refuses an address that another customer holds.',
  params,
  body: z.object({
    ...formOf('sent'),
    email: NewEmail.optional().describe(
      'The new email address. No other customer of the storefront and mode holds it.',
    ),
    metadata: OptionalMetadata.describe("Replaces the merchant's own data; null clears it."),
  }),
  responses: { 200: CustomerShape },
  refuses: ['not_found'],
})
