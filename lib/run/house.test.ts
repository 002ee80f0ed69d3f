import { createRequire } from 'node:module'
import { cruise } from 'dependency-cruiser'
import { describe, expect, it } from 'vitest'

// A planted violation for each rule: who imports whom, as the tool would report it.
const planted: Record<string, { from: string; to: string; allowed: string }> = {
  'kernel-imports-kernel': { from: 'lib/kernel/money.ts', to: 'lib/platform/log.ts', allowed: 'lib/kernel/ids.ts' },
  'rules-import-rules-and-kernel': {
    from: 'lib/catalog/rules/review.ts',
    to: 'lib/catalog/store.ts',
    allowed: 'lib/tax/rules/index.ts',
  },
  'platform-has-no-business': {
    from: 'lib/platform/route.ts',
    to: 'lib/orders/store.ts',
    allowed: 'lib/kernel/money.ts',
  },
  'contracts-import-shapes': {
    from: 'lib/orders/contract.ts',
    to: 'lib/orders/store.ts',
    allowed: 'lib/platform/shapes.ts',
  },
  'stores-know-rows-only': {
    from: 'lib/orders/store.ts',
    to: 'lib/orders/operations.ts',
    allowed: 'lib/orders/rules/order.ts',
  },
  'prisma-in-stores-only': {
    from: 'lib/orders/operations.ts',
    to: 'prisma/client/client.ts',
    allowed: 'lib/orders/store.ts',
  },
  'transactions-do-not-nest': {
    from: 'lib/orders/operations.ts',
    to: 'lib/catalog/operations.ts',
    allowed: 'lib/catalog/store.ts',
  },
  'app-uses-doors': { from: 'app/v1/orders/route.ts', to: 'lib/orders/store.ts', allowed: 'lib/orders/operations.ts' },
  'components-are-given-everything': {
    from: 'components/ui/field.tsx',
    to: 'lib/orders/operations.ts',
    allowed: 'lib/orders/page.ts',
  },
  'test-helpers-in-tests-only': {
    from: 'lib/orders/operations.ts',
    to: 'lib/testing/shop.ts',
    allowed: 'lib/platform/db.ts',
  },
}

interface Restriction {
  path?: string | string[]
  pathNot?: string | string[]
}
const { forbidden } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  forbidden: { name: string; from: Restriction; to: Restriction }[]
}

const some = (patterns: string | string[] | undefined, file: string, groups: string[]) =>
  [patterns ?? []]
    .flat()
    .some((pattern) => new RegExp(pattern.replace(/\$(\d)/g, (_, n) => groups[n] ?? '')).test(file))

/** Whether a rule forbids an import, by the tool's own definition: every condition that is there must hold. */
function forbids({ from, to }: { from: Restriction; to: Restriction }, source: string, target: string): boolean {
  const holds = ({ path, pathNot }: Restriction, file: string, groups: string[]) =>
    (path === undefined || some(path, file, groups)) && !some(pathNot, file, groups)
  const groups = typeof from.path === 'string' ? [...(new RegExp(from.path).exec(source) ?? [])] : []
  return holds(from, source, groups) && holds(to, target, groups)
}

describe('the house rules', () => {
  it('have a planted violation each', () => {
    expect(Object.keys(planted).sort()).toEqual(
      forbidden
        .map((rule) => rule.name)
        .filter((name) => name !== 'no-cycles')
        .sort(),
    )
  })

  it.each(Object.entries(planted))(
    '%s forbids its violation and allows what is right',
    (name, { from, to, allowed }) => {
      const rule = forbidden.find((each) => each.name === name)
      expect(rule && forbids(rule, from, to)).toBe(true)
      expect(rule && forbids(rule, from, allowed)).toBe(false)
    },
  )

  it('are read by a tool that sees the imports of TypeScript files', async () => {
    const { output } = await cruise(['lib/orders/operations.ts'], { doNotFollow: { path: '.' } })
    const modules = typeof output === 'string' ? [] : output.modules
    const seen = modules
      .find((module) => module.source === 'lib/orders/operations.ts')
      ?.dependencies.map((each) => each.resolved)
    expect(seen).toContain('lib/orders/store.ts')
  })
})
