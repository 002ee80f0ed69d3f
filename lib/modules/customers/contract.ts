import { z } from 'zod'
import { canonicalEmail, customerEmail, erasedDomain } from '../../kernel/email.ts'
import { isBlank } from '../../kernel/text.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import { id, MetadataShape, OptionalMetadata, SelfLink, text, WireMoment } from '../../platform/http/shapes.ts'

export const Email = z
  .string()
  .refine((value) => canonicalEmail(value) !== null, {
    error: 'Must be an email address such as "ada@example.com", with a domain that has a dot, at most 254 octets.',
  })
  .transform((value) => canonicalEmail(value) ?? value)

const NewEmail = Email.refine((email) => customerEmail(email) !== null, {
  error: `Must not be at ${erasedDomain}, which is reserved for erased customers.`,
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
  name: optionalText('The display name. Invoices do not show this name.'),
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
    'Returns the customers of the storefront and mode, newest first. With `email`, returns only the ' +
    'customers with that email address in canonical form.',
  query: listQuery({
    email: Email.optional().describe('Only the customers with this email address.'),
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
    'Returns 201 with a new customer, or 200 with the existing customer of the email address. An ' +
    'existing customer does not change: `name` and `metadata` are ignored. Sends no event.',
  body: z.object({
    email: NewEmail.describe('The email address. The service stores it in canonical form.'),
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
    'Changes the name, the email address, or the metadata. Other fields are ignored: only the ' +
    'customer changes billing details, on hosted pages. Sends no event. Refuses the email address of another customer.',
  params,
  body: z.object({
    ...formOf('sent'),
    email: NewEmail.optional().describe(
      'The new email address. It must not belong to another customer of the storefront and mode.',
    ),
    metadata: OptionalMetadata.describe('Replaces the metadata. Null clears the metadata.'),
  }),
  responses: { 200: CustomerShape },
  refuses: ['not_found'],
})
