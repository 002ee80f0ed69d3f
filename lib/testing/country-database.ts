import ipaddr from 'ipaddr.js'

/** The value types of the MaxMind DB format 2.0 that a country database uses. */
type Value = string | number | bigint | readonly Value[] | { readonly [key: string]: Value }

/** The number of each type in the format. A number above 7 needs a second byte. */
const types = { text: 2, number: 6, map: 7, bigint: 9, array: 11 } as const

function encoded(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(types.text, value.length), Buffer.from(value)])
  if (typeof value === 'number') return Buffer.concat([control(types.number, 4), bytes(BigInt(value), 4)])
  if (typeof value === 'bigint') return Buffer.concat([control(types.bigint, 8), bytes(value, 8)])
  if (Array.isArray(value)) return Buffer.concat([control(types.array, value.length), ...value.map(encoded)])
  const entries = Object.entries(value)
  const parts = entries.flatMap(([key, each]) => [encoded(key), encoded(each)])
  return Buffer.concat([control(types.map, entries.length), ...parts])
}

const control = (type: number, size: number): Buffer =>
  type > 7 ? Buffer.from([size, type - 7]) : Buffer.from([(type << 5) | size])

const bytes = (value: bigint, length: number): Buffer =>
  Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex')

/**
 * Builds a country database from records by network (`203.0.113.0/24`, `2a00::/16`). Networks must not overlap. IPv4
 * addresses are below ::/96.
 */
export function countryDatabase(networks: Readonly<Record<string, Value>>, builtAt: Date): Buffer {
  const tree: (number | { record: number } | null)[][] = [[null, null]]
  const records: Buffer[] = []
  for (const [network, record] of Object.entries(networks)) {
    const [address, prefix] = ipaddr.parseCIDR(network)
    const own = address.toByteArray()
    const bits = [...Array(16 - own.length).fill(0), ...own].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    insert(
      tree,
      bits.slice(0, prefix + (16 - own.length) * 8),
      records.reduce((sum, { length }) => sum + length, 0),
    )
    records.push(encoded(record))
  }
  const nodes = tree.flat().map((entry) => {
    if (entry === null) return tree.length
    return typeof entry === 'number' ? entry : tree.length + 16 + entry.record
  })
  const metadata = {
    node_count: tree.length,
    record_size: 24,
    ip_version: 6,
    database_type: 'Test-Country',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    description: { en: 'test' },
    build_epoch: BigInt(Math.floor(builtAt.getTime() / 1000)),
  }
  const marker = Buffer.concat([Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com')])
  const separator = Buffer.alloc(16)
  return Buffer.concat([
    ...nodes.map((node) => bytes(BigInt(node), 3)),
    separator,
    ...records,
    marker,
    encoded(metadata),
  ])
}

function insert(tree: (number | { record: number } | null)[][], bits: string, record: number): void {
  let at = 0
  for (const [depth, bit] of [...bits].entries()) {
    const node = tree[at] ?? []
    const side = Number(bit)
    if (depth === bits.length - 1) node[side] = { record }
    else if (typeof node[side] !== 'number') node[side] = tree.push([null, null]) - 1
    at = Number(node[side])
  }
}
