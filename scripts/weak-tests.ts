import { parseAst } from 'vitest/node'

/** A node of the syntax tree. Only the fields that this file reads are typed. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)
const nodesIn = (value: unknown): Node[] => [value].flat().filter(isNode)
const nodeIn = (value: unknown): Node | undefined => nodesIn(value)[0]

/**
 * Returns the places of a test file that check less than the file claims, such as `12: a row appears twice: ['MC', 'FR']`. `scripts/conventions.test.ts` states
 * the rules. `isPure` says that the tested functions always return the same result for the same arguments.
 */
export function weaknessesOf(text: string, { lang, isPure }: { lang: 'ts' | 'tsx'; isPure: boolean }): string[] {
  const found: string[] = []
  const textOf = (node: Node | undefined) => (node ? text.slice(node.start, node.end).replaceAll(/\s+/g, ' ') : '')
  const report = (node: Node, problem: string) =>
    found.push(`${text.slice(0, node.start).split('\n').length}: ${problem}: ${textOf(node).slice(0, 80)}`)

  function checkTable(table: Node | undefined, title: string): void {
    const rows = table?.type === 'TSAsExpression' ? nodeIn(table.expression) : table
    const placeholders = title.replaceAll('%%', '').match(/%[sdifjoc#]/g)?.length ?? 0
    const named = [...title.matchAll(/\$(\d+)/g)].map(([, index]) => Number(index) + 1)
    if (rows?.type !== 'ArrayExpression') return
    const known = new Set<string>()
    for (const row of nodesIn(rows.elements)) {
      if (known.has(textOf(row))) report(row, 'a row appears twice')
      if (row.type !== 'SpreadElement') known.add(textOf(row))
      if (valuesIn(row) < Math.max(placeholders, ...named))
        report(row, 'a row does not fill the placeholders of the title')
    }
  }

  function checkCall(call: Node): void {
    const callee = nodeIn(call.callee)
    const [first] = nodesIn(call.arguments)
    const title = first?.type === 'Literal' ? String(first.value) : ''
    const each = callee?.type === 'CallExpression' ? textOf(nodeIn(callee.callee)) : ''
    if (/^(?:it|test|describe)\.(?:each|for)$/.test(each)) checkTable(nodesIn(callee?.arguments)[0], title)
    if (/^(?:it|test)$/.test(textOf(callee)) && /%[sdifjo]\b|\$[a-z]/.test(title))
      report(call, 'a title without a table has a placeholder')
    if (callee?.type === 'MemberExpression') checkExpectation(call, callee, first)
  }

  function checkExpectation(call: Node, matcher: Node, expected: Node | undefined): void {
    if (!/^to(?:Be|Equal|StrictEqual|MatchObject)$/.test(textOf(nodeIn(matcher.property)))) return
    let expect = nodeIn(matcher.object)
    while (expect?.type === 'MemberExpression') expect = nodeIn(expect.object)
    if (expect?.type !== 'CallExpression' || !/^expect(?:\.poll)?$/.test(textOf(nodeIn(expect.callee)))) return
    const actual = textOf(nodesIn(expect.arguments)[0])
    if (actual === textOf(expected) && !actual.includes('(')) report(call, 'both sides of an expectation are the same')
    if (/^new Set\(.*\)\.size$/.test(actual) && !/^1$|\b(?:length|size)\b/.test(textOf(expected)))
      report(call, 'the size of a Set hides duplicates')
  }

  function visit(node: Node, isInTest: boolean, isInIf: boolean): void {
    if (node.type === 'CallExpression') checkCall(node)
    if (node.type === 'ReturnStatement' && isInTest && isInIf && !node.argument)
      report(node, 'a test can end before its expectations')
    if (isPure && node.type === 'BlockStatement') checkConstants(node)
    const isTest = node.type === 'CallExpression' && /^(?:it|test|onEveryScreen)\b/.test(textOf(nodeIn(node.callee)))
    for (const child of childrenOf(node)) {
      if (/Function/.test(child.type)) visit(child, isTest && nodesIn(node.arguments).includes(child), false)
      else visit(child, isInTest, isInIf || node.type === 'IfStatement')
    }
  }

  /** An expectation that compares two results of the same pure call cannot fail. */
  function checkConstants(block: Node): void {
    const known = new Set<string>()
    for (const statement of nodesIn(block.body))
      for (const declared of nodesIn(statement.declarations)) {
        const value = textOf(nodeIn(declared.init))
        if (value.includes('(') && known.has(value)) report(declared, 'two constants have the same value')
        known.add(value)
      }
  }

  visit(parseAst(text, { lang }) as unknown as Node, false, false)
  return found
}

/** The number of values that a row passes to its title. Infinite if the row is not written out. */
function valuesIn(row: Node): number {
  if (/^(?:SpreadElement|Identifier|CallExpression|MemberExpression)$/.test(row.type)) return Number.POSITIVE_INFINITY
  if (row.type !== 'ArrayExpression') return 1
  const values = nodesIn(row.elements)
  return values.some(({ type }) => type === 'SpreadElement') ? Number.POSITIVE_INFINITY : values.length
}
