import { instance } from '@viz-js/viz'

interface Diagram {
  readonly direction: 'LR' | 'TB'
  readonly nodes: ReadonlyMap<string, string>
  readonly edges: readonly { readonly from: string; readonly to: string; readonly labels: readonly string[] }[]
}

const state = /^(\w+) --> (\w+)(?:: (.+))?$/
const box = /^(\w+)(?:\[([^\]]+)\])? -->(?:\|([^|]+)\|)? (\w+)(?:\[([^\]]+)\])?$/

/** Returns an SVG without ids, styles, and scripts. Throws an error that names an unreadable line. */
export async function diagramSvg(text: string): Promise<string> {
  const graphviz = await instance()
  const svg = graphviz.renderString(dotOf(parsed(text)), { format: 'svg' })
  return svg
    .slice(svg.indexOf('<svg'))
    .replaceAll(/<!--.*?-->\n?/gs, '')
    .replaceAll(/<title>.*?<\/title>\n?/gs, '')
    .replaceAll(/ (?:id|font-family|xmlns:xlink|xml:space)="[^"]*"/g, '')
    .replace(/<svg width="([\d.]+)pt" height="([\d.]+)pt"/, '<svg width="$1" height="$2" aria-hidden="true"')
    .trim()
}

function parsed(text: string): Diagram {
  const [head = '', ...lines] = text.split('\n').map((line) => line.trim())
  const isStates = head === 'stateDiagram-v2'
  const [, direction] = /^flowchart (LR|TB)$/.exec(head) ?? []
  if (!isStates && !direction) throw new Error(`A diagram begins with stateDiagram-v2 or flowchart, not with ${head}.`)
  const nodes = new Map<string, string>()
  const edges = new Map<string, { from: string; to: string; labels: string[] }>()
  for (const line of lines.filter((each) => each !== '')) {
    const { from, to, label } = isStates ? stateLine(line) : boxLine(line)
    for (const { id, name } of [from, to]) nodes.set(id, name ?? nodes.get(id) ?? id)
    const edge = edges.get(`${from.id} ${to.id}`) ?? { from: from.id, to: to.id, labels: [] }
    if (label) edge.labels.push(label)
    edges.set(`${from.id} ${to.id}`, edge)
  }
  return { direction: direction === 'LR' ? 'LR' : 'TB', nodes, edges: [...edges.values()] }
}

interface Line {
  readonly from: { readonly id: string; readonly name?: string | undefined }
  readonly to: { readonly id: string; readonly name?: string | undefined }
  readonly label: string | undefined
}

function stateLine(line: string): Line {
  const [, from, to, label] = state.exec(line) ?? []
  if (!from || !to) throw unreadable(line)
  return { from: { id: from }, to: { id: to }, label }
}

function boxLine(line: string): Line {
  const [, from, fromName, label, to, toName] = box.exec(line) ?? []
  if (!from || !to) throw unreadable(line)
  return { from: { id: from, name: fromName }, to: { id: to, name: toName }, label }
}

const unreadable = (line: string): Error => new Error(`A line of a diagram cannot be read: ${line}`)

/** Returns the diagram in the Graphviz language. Graphviz measures Helvetica, which is about as wide as the site's font. */
function dotOf({ direction, nodes, edges }: Diagram): string {
  return [
    'digraph {',
    `rankdir=${direction}; bgcolor=transparent; nodesep=0.4; ranksep=0.45;`,
    'node [shape=box, style=rounded, fontname=Helvetica, fontsize=14, height=0.4, margin="0.16,0.06"];',
    'edge [fontname=Helvetica, fontsize=12, arrowsize=0.7];',
    ...[...nodes].map(([id, name]) => `${id} [label=${JSON.stringify(name)}];`),
    ...edges.map(({ from, to, labels }) => `${from} -> ${to} [label=${JSON.stringify(` ${labels.join('\n ')} `)}];`),
    '}',
  ].join('\n')
}
