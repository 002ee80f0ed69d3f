import { closestMatch } from 'leven'
import { z } from 'zod'
import type { FieldErrors } from '../../kernel/refusal.ts'

export interface UnknownField {
  /** A path with dots and array indexes, such as `products.0.quantitty`. */
  readonly path: string
  readonly name: string
  readonly known: readonly string[]
}

const mostUnknown = 500

/** The fields of a body that `shape` does not have, at every depth. Ignores the contents of maps such as `metadata`. */
export function unknownFields(shape: z.core.$ZodType | undefined, body: unknown): UnknownField[] {
  const found: UnknownField[] = []
  collect(shape ?? z.object({}), body, '', found)
  return found
}

function collect(shape: z.core.$ZodType, value: unknown, path: string, found: UnknownField[]): void {
  const inner = unwrapped(shape)
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (found.length >= mostUnknown) return
      collect(inner.element, item, `${path}${index}.`, found)
    }
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value)) return
  const fields = new Map<string, z.core.$ZodType>(Object.entries(inner.shape))
  for (const [name, item] of Object.entries(value)) {
    if (found.length >= mostUnknown) return
    const field = fields.get(name)
    if (field) collect(field, item, `${path}${name}.`, found)
    else found.push({ path: `${path}${name}`, name, known: [...fields.keys()] })
  }
}

function unwrapped(shape: z.core.$ZodType): z.core.$ZodType {
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable || shape instanceof z.ZodDefault)
    return unwrapped(shape.unwrap())
  if (shape instanceof z.ZodPipe) return unwrapped(shape.in)
  return shape
}

/** Returns an error for each misspelled field, because the client expects the field to have an effect. */
export const misspelled = (unknown: readonly UnknownField[]): FieldErrors =>
  Object.fromEntries(
    unknown.flatMap(({ path, name, known }) => {
      const meant = nearest(name, known)
      return meant === undefined ? [] : [[path, [`Unknown field ${name}. Did you mean ${meant}?`]]]
    }),
  )

/**
 * The minimum length of a name for which a similar known name is suggested. Two edits could turn a shorter name into
 * many unrelated known names.
 */
const leastLetters = 5
const mostDifferences = 2
const longestName = 100

/** The known name that equals `name` without case, `_`, and `-`, or else a known name within two edits. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined
  const same = known.find((each) => plain(each) === plain(name))
  if (same !== undefined || name.length < leastLetters) return same
  const candidates = known.filter((each) => each.length >= leastLetters)
  return closestMatch(name, candidates, { maxDistance: mostDifferences })
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '')

const mostNamed = 20
const longestPath = 100

/** The value of the header Ignored-Fields: the first 20 fields, percent-encoded. Null if no field is unknown. */
export const ignoredFields = (unknown: readonly UnknownField[]): string | null =>
  unknown.length === 0
    ? null
    : unknown
        .slice(0, mostNamed)
        .map(({ path }) => encodeURIComponent(path.slice(0, longestPath).toWellFormed()))
        .join(', ')
