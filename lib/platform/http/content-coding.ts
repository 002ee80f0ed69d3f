export type Coding = 'br' | 'gzip'

/** The coding in `ours` that the client prefers. Null if the client prefers the identity coding or accepts no coding in `ours`. */
export function contentCoding(acceptEncoding: string | null, ours: readonly Coding[]): Coding | null {
  const weights = new Map((acceptEncoding ?? '').split(',').map(weighted))
  const weight = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const best = ours.reduce<Coding | null>(
    (found, each) => (weight(each) > (found ? weight(found) : 0) ? each : found),
    null,
  )
  return best && weight(best) >= (weights.get('identity') ?? 0) ? best : null
}

function weighted(entry: string): [string, number] {
  const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
  const [, q] = parameters.map((parameter) => /^q\s*=\s*([\d.]+)$/.exec(parameter)).find(Boolean) ?? []
  return [coding === 'x-gzip' ? 'gzip' : coding, q === undefined ? 1 : Number(q) || 0]
}
