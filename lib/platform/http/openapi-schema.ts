import { z } from 'zod'

export type Json = Record<string, unknown>

/** The JSON schema of a zod schema. Named schemas are moved to the components. */
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
  // Clients generated from this document must accept new fields in responses.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  // The pattern of a number or boolean describes its text in the URL. Generated clients set a typed value, so the pattern does not apply to them.
  if (jsonSchema.type !== 'string') delete jsonSchema.pattern
  // zod adds the bounds of a safe integer if a schema has no bounds.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // zod omits the default of a schema with a transform.
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
