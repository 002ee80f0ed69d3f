export type RouteFunction = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Response | Promise<Response>

export interface RouteFile {
  readonly path: string
  readonly methods: Readonly<Record<string, unknown>>
}

export type Match =
  | { readonly found: RouteFunction; readonly params: Record<string, string>; readonly route: string }
  /** `allow` lists the methods of the path. It is empty if no route has the path. */
  | { readonly found: null; readonly allow: string[] }

interface Node {
  readonly fixed: Map<string, Node>
  variable?: { readonly name: string; readonly node: Node }
  methods?: Map<string, RouteFunction>
  path?: string
}

const methodNames = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** In a path, a fixed segment takes precedence over a parameter. Paths must be decodable. Throws on route tables that Next.js would refuse. */
export function router(routes: readonly RouteFile[]): (method: string, path: string) => Match {
  const root = node()
  for (const route of routes) add(root, route)
  return (method, path) => {
    const values: string[] = []
    const names: string[] = []
    const place = find(root, path.split('/'), 1, names, values)
    const methods = place?.methods
    if (!methods) return { found: null, allow: [] }
    const found = methods.get(method)
    if (!found) return { found: null, allow: [...methods.keys()] }
    return {
      found,
      route: place.path ?? path,
      params: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')])),
    }
  }
}

function node(): Node {
  return { fixed: new Map() }
}

function add(root: Node, { path, methods }: RouteFile): void {
  let place = root
  for (const segment of path.split('/').slice(1)) place = below(place, segment, path)
  if (place.methods) throw new Error(`Two routes are ${path}`)
  place.methods = new Map()
  place.path = path
  for (const name of methodNames) {
    // The GET handler also serves HEAD requests, because `sendResponse` drops the body.
    const handler = methods[name] ?? (name === 'HEAD' ? methods.GET : undefined)
    if (typeof handler === 'function') place.methods.set(name, handler as RouteFunction)
  }
}

function below(place: Node, segment: string, path: string): Node {
  const [, name] = /^\[(\w+)\]$/.exec(segment) ?? []
  if (name === undefined) {
    if (/[[\]()@]/.test(segment)) throw new Error(`${path}: "${segment}" is not supported here`)
    const next = place.fixed.get(segment) ?? node()
    place.fixed.set(segment, next)
    return next
  }
  place.variable ??= { name, node: node() }
  if (place.variable.name !== name) throw new Error(`${path}: [${name}] is called [${place.variable.name}] elsewhere`)
  return place.variable.node
}

function find(place: Node, segments: string[], index: number, names: string[], values: string[]): Node | undefined {
  const segment = segments[index]
  if (segment === undefined) return place.methods && place
  const fixed = place.fixed.get(segment)
  const direct = fixed && find(fixed, segments, index + 1, names, values)
  if (direct || segment === '' || !place.variable) return direct
  names.push(place.variable.name)
  values.push(segment)
  const found = find(place.variable.node, segments, index + 1, names, values)
  if (!found) {
    names.pop()
    values.pop()
  }
  return found
}
