import { runInThisContext } from 'node:vm'
import { expect, it } from 'vitest'
import { withQuickCopies } from './quick-copies.mjs'

it.each([
  ['x = { ...a, b: 1 }', 'x = { ...null, ...a, b: 1 }'],
  ['x = {\n  ...a,\n  b: 1\n}', 'x = { ...null,\n  ...a,\n  b: 1\n}'],
  ['x = { ...{ ...a, b }, ...c }', 'x = { ...null, ...{ ...null, ...a, b }, ...c }'],
  ['f({ ...a, g: () => ({ ...b, c: 1 }) })', 'f({ ...null, ...a, g: () => ({ ...null, ...b, c: 1 }) })'],
])('%s begins with an empty copy', (program, expected) => expect(withQuickCopies(program)).toBe(expected))

it.each([
  'x = { ...a }',
  'x = { b: 1, ...a, c: 2 }',
  'x = [...a, 1]',
  'const { ...rest } = a',
  'const f = ({ b, ...rest }) => rest',
  'x = "{ ...a, b }" + `{ ...a, b }` + /{ ...a, b }/.source',
  '// { ...a, b }',
  '',
])('%s stays as it is', (program) => expect(withQuickCopies(program)).toBe(program))

it('means the same', () => {
  const program = 'order => JSON.stringify({ ...order, status: 1, ...{ ...order.lines, at: 2 }, id: 3 })'
  const order = { id: 1, status: 0, lines: { id: 2, of: [3] }, __proto__: { hidden: 1 } }
  const [made, madeQuickly] = [program, withQuickCopies(program)].map((each) => runInThisContext(each)(order))
  expect(withQuickCopies(program)).not.toBe(program)
  expect(madeQuickly).toBe(made)
})

it('refuses what is no program', () => expect(() => withQuickCopies('x = {')).toThrow(SyntaxError))
