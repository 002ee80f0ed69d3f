import { z } from 'zod'

export type Json = Record<string, unknown>

/** Named shapes move to the components, where each name has one meaning. */
export function schemaOf(shape: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $schema: _,
    $defs = {},
    ...schema
  } = z.toJSONSchema(shape, { io, unrepresentable: 'any', override: forClients }) as Json & { $defs?: Json }
  for (const [name, definition] of Object.entries($defs)) schemas[name] = withoutId(relinked(definition))
  return relinked(schema) as Json
}

interface Rendered {
  zodSchema: z.core.$ZodType
  jsonSchema: z.core.JSONSchema.BaseSchema
}

function forClients({ zodSchema, jsonSchema }: Rendered): void {
  // Responses may gain fields later, and clients generated from this document must accept them.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  // A value is text in the URL but a number or boolean to the client. The pattern applies only to the text.
  if (jsonSchema.type !== 'string') delete jsonSchema.pattern
  // zod writes the bounds of a safe integer where a shape has no bounds.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // zod omits the default of a shape with a transform.
  const { default: named } = z.globalRegistry.get(zodSchema) ?? {}
  if (named !== undefined) jsonSchema.default = named as typeof jsonSchema.default
  addDiscriminator({ zodSchema, jsonSchema })
}

function addDiscriminator({ zodSchema, jsonSchema }: Rendered): void {
  if (!(zodSchema instanceof z.ZodDiscriminatedUnion)) return
  const propertyName: string = zodSchema.def.discriminator
  const mapping = zodSchema.options.flatMap((option) => {
    const { id } = z.globalRegistry.get(option) ?? {}
    const field = option instanceof z.ZodObject ? option.shape[propertyName] : undefined
    return field instanceof z.ZodLiteral ? [[String(field.value), `#/components/schemas/${id}`]] : []
  })
  Object.assign(jsonSchema, { discriminator: { propertyName, mapping: Object.fromEntries(mapping) } })
}

const withoutId = (schema: unknown): unknown => {
  const { id: _, ...rest } = schema as Json
  return rest
}

const relinked = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'))
