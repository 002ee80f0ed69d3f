import { isTracing, type SpanOptions, traced } from '../tracing.ts'
import type { SqlStatement } from './fragment.ts'

/** The span of a statement contains neither the SQL text nor its values. */

const most = 1_000
const known = new Map<string, { readonly name: string; readonly options: SpanOptions }>()

export function statementSpan(text: string) {
  const before = known.get(text)
  if (before) return before
  const verb = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'SQL'
  const table = /\b(?:FROM|INTO|UPDATE)\s+"?([a-z][a-z_]*)"?(?![\w(.])/i.exec(text)?.[1]
  const span = {
    name: table === undefined ? verb : `${verb} ${table}`,
    options: {
      kind: 'client',
      isInner: true,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': verb,
        ...(table !== undefined && { 'db.collection.name': table }),
      },
    },
  } as const
  // Some statement texts depend on the number of values, so the cache needs a limit.
  if (known.size < most) known.set(text, span)
  return span
}

export function tracedStatement<Result>({ text }: SqlStatement, run: () => Result): Result {
  if (!isTracing()) return run()
  const { name, options } = statementSpan(text)
  return traced(name, options, run)
}
