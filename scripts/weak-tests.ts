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

/** Removes the types that surround an expression: `row as const`, `row satisfies Row`. */
const plain = (node: Node | undefined): Node | undefined =>
  node && /^TS(?:As|Satisfies)Expression$/.test(node.type) ? plain(nodeIn(node.expression)) : node

/**
 * Returns a line such as `12: a row appears twice: ['MC', 'FR']` for each place where a test checks less than it seems
 * to check. `scripts/conventions.test.ts` states the rules.
 */
export function weaknessesOf(text: string, lang: 'ts' | 'tsx'): string[] {
  const found: string[] = []
  const textOf = (node: Node | undefined) => (node ? text.slice(node.start, node.end).replaceAll(/\s+/g, ' ') : '')
  /** The name of a function, or an empty text for a longer expression, whose text would take time to build. */
  const nameOf = (node: Node | undefined) => (node && node.end - node.start < 30 ? textOf(node) : '')
  const report = (node: Node, problem: string) =>
    found.push(`${text.slice(0, node.start).split('\n').length}: ${problem}: ${textOf(node).slice(0, 80)}`)

  function checkTable(table: Node | undefined, title: string): void {
    const placeholders = title.replaceAll('%%', '').match(/%[sdifjoc]/g)?.length ?? 0
    const named = [...title.matchAll(/\$(\d+)/g)].map(([, index]) => Number(index) + 1)
    const rows = plain(table)
    if (rows?.type !== 'ArrayExpression') return
    const known = new Set<string>()
    for (const row of nodesIn(rows.elements).flatMap((each) => plain(each) ?? [])) {
      // A row with a call or a spread is not fixed, because two equal calls can return different values.
      const isFixed = nodesInside(row).every(({ type }) => !/^(?:Call|New|Spread)/.test(type))
      if (isFixed && known.has(textOf(row))) report(row, 'a row appears twice')
      known.add(textOf(row))
      if (valuesIn(row) < Math.max(placeholders, ...named))
        report(row, 'a row does not fill the placeholders of the title')
    }
  }

  function checkCall(call: Node): void {
    const callee = nodeIn(call.callee)
    const [first] = nodesIn(call.arguments)
    const title = first?.type === 'Literal' ? String(first.value) : ''
    const each = callee?.type === 'CallExpression' ? nameOf(nodeIn(callee.callee)) : ''
    if (/^(?:it|test|describe)\.(?:each|for)$/.test(each)) checkTable(nodesIn(callee?.arguments)[0], title)
    if (/^(?:it|test)$/.test(nameOf(callee)) && /%[sdifjo]\b/.test(title))
      report(call, 'a title without a table has a placeholder')
    if (callee?.type === 'MemberExpression') checkExpectation(call, callee, first)
  }

  function checkExpectation(call: Node, matcher: Node, expected: Node | undefined): void {
    if (!/^to(?:Be|Equal|StrictEqual|MatchObject)$/.test(nameOf(nodeIn(matcher.property)))) return
    let expect = nodeIn(matcher.object)
    while (expect?.type === 'MemberExpression') expect = nodeIn(expect.object)
    if (!expect || !isExpectation(expect)) return
    const actual = textOf(nodesIn(expect.arguments)[0])
    if (actual === textOf(expected) && !actual.includes('(')) report(call, 'both sides of an expectation are the same')
  }

  const isExpectation = (node: Node) =>
    node.type === 'CallExpression' && /^expect(?:\.poll|\.soft)?$/.test(nameOf(nodeIn(node.callee)))

  function checkEnds(test: Node): void {
    const ends = nodesInside(test, ({ type }) => !/Function/.test(type)).filter(
      ({ type }) => type === 'ReturnStatement',
    )
    if (ends.length === 0) return
    const last = Math.max(...nodesInside(test).flatMap((node) => (isExpectation(node) ? node.start : [])))
    for (const node of ends) if (node.end < last) report(node, 'a test can end before its expectations')
  }

  for (const node of nodesInside(parseAst(text, { lang }) as unknown as Node)) {
    if (node.type !== 'CallExpression') continue
    checkCall(node)
    if (/^(?:it|test|onEveryScreen)\b/.test(text.slice(node.start, node.start + 30)))
      for (const test of nodesIn(node.arguments)) if (/Function/.test(test.type)) checkEnds(test)
  }
  return found
}

/** Returns the node and all nodes below it, except the nodes that `isEntered` refuses and the nodes below them. */
function nodesInside(node: Node, isEntered: (child: Node) => boolean = () => true, found: Node[] = []): Node[] {
  found.push(node)
  for (const child of childrenOf(node)) if (isEntered(child)) nodesInside(child, isEntered, found)
  return found
}

/** The number of values that a row passes to its title. Infinite if the row is not a literal. */
function valuesIn(row: Node): number {
  if (/^(?:SpreadElement|Identifier|CallExpression|MemberExpression)$/.test(row.type)) return Number.POSITIVE_INFINITY
  if (row.type !== 'ArrayExpression') return 1
  const values = nodesIn(row.elements)
  return values.some(({ type }) => type === 'SpreadElement') ? Number.POSITIVE_INFINITY : values.length
}
