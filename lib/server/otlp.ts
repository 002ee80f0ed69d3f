import { randomUUID } from 'node:crypto'

/** What traces, metrics and logs have in common in the JSON of OTLP 1: attributes, moments, and who sends. */

export interface Attribute {
  readonly key: string
  readonly value: AnyValue
}

type AnyValue =
  | Readonly<Record<string, never>>
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } }
  | { readonly kvlistValue: { readonly values: readonly Attribute[] } }

/** Whole numbers are texts, as 64-bit numbers are in the JSON of Protocol Buffers. A value that is absent is empty. */
function anyValue(value: unknown): AnyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (Number.isSafeInteger(value)) return { intValue: String(value) }
  if (typeof value === 'number') return { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  return typeof value === 'object' && value !== null ? { kvlistValue: { values: attributesOf(value) } } : {}
}

export const attributesOf = (values: object): Attribute[] =>
  Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }))

/** Milliseconds since 1970 as nanoseconds, in whole microseconds. */
export const nanosecondsOf = (ms: number): string => `${Math.round(ms * 1_000)}000`

export const scope = { name: 'billhook' }

const instanceId = randomUUID()

/**
 * This process. Processes have their environment in common, and two that called themselves alike would overwrite each
 * other's counters: so its id is its own, whatever the environment says.
 */
export const processAttributes = (service: Readonly<Record<string, string>>) => ({
  ...service,
  'service.instance.id': instanceId,
  'process.pid': process.pid,
})

/** The service as a whole, whichever process speaks for it. */
export function serviceAttributes(service: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { 'service.instance.id': _, ...others } = service
  return others
}
