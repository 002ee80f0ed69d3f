import type { Element, ElementContent, Root, RootContent } from 'hast'
import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import type { Highlighter } from 'shiki'
import { unified } from 'unified'
import { diagramSvg } from './diagram.ts'
import { highlight } from './highlight.ts'

interface Heading {
  readonly id: string
  readonly text: string
  readonly depth: 2 | 3
}

interface Section {
  /** The anchor; empty for the text before the first heading. */
  readonly id: string
  readonly heading: string
  readonly text: string
}

export interface RenderedPage {
  readonly title: string
  readonly description: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
  readonly anchors: readonly string[]
  readonly links: readonly string[]
}

interface Rendering {
  readonly highlighter: Highlighter
  /** Returns the URL for a link target, or null to render the text without a link. */
  readonly linkOf: (target: string) => string | null
}

export async function renderMarkdown(text: string, { highlighter, linkOf }: Rendering): Promise<RenderedPage> {
  const processor = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSlug)
  const tree = (await processor.run(processor.parse(text))) as Root
  const elements = tree.children.filter((node): node is Element => node.type === 'element')
  const title = textOf(elements.find(({ tagName }) => tagName === 'h1'))
  const description = textOf(elements.find(({ tagName }) => tagName === 'p')).replaceAll(/\s+/g, ' ')
  const headings = elements.flatMap(headingOf)
  const sections = sectionsOf(tree)
  const links: string[] = []
  const children = withTabs(
    await withDiagrams(tree.children.filter((node) => !(node.type === 'element' && node.tagName === 'h1'))),
    highlighter,
  )
  const content: Root = { type: 'root', children }
  eachElement(content, (element) => {
    changeLink(element, linkOf)
    if (element.tagName === 'a') links.push(String(element.properties.href ?? ''))
    if (/^h[2-4]$/.test(element.tagName)) addPermalink(element)
  })
  wrapTables(content)
  const anchors: string[] = []
  eachElement(content, ({ properties: { id } }) => {
    if (typeof id === 'string') anchors.push(id)
  })
  // `remark-rehype` drops the HTML of Markdown files, so the only raw HTML is the HTML of diagrams.
  const html = unified().use(rehypeStringify, { allowDangerousHtml: true }).stringify(content)
  return { title, description, html, headings, sections, anchors, links: links.filter((link) => link !== '') }
}

function textOf(node: RootContent | undefined): string {
  if (!node) return ''
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map((child) => textOf(child)).join('') : ''
}

function headingOf(element: Element): Heading[] {
  const depth = element.tagName === 'h2' ? 2 : element.tagName === 'h3' ? 3 : null
  return depth ? [{ id: String(element.properties.id), text: textOf(element), depth }] : []
}

function sectionsOf({ children }: Root): Section[] {
  const sections: { id: string; heading: string; text: string }[] = [{ id: '', heading: '', text: '' }]
  for (const node of children) {
    const isHeading = node.type === 'element' && /^h[23]$/.test(node.tagName)
    if (isHeading) sections.push({ id: String(node.properties.id), heading: textOf(node), text: '' })
    else if (node.type === 'element' && node.tagName !== 'h1') {
      const section = sections.at(-1)
      if (section) section.text += ` ${textOf(node)}`
    }
  }
  return sections.map(({ text, ...rest }) => ({ ...rest, text: text.replaceAll(/\s+/g, ' ').trim() }))
}

function eachElement(parent: Root | Element, visit: (element: Element) => void): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    visit(child)
    eachElement(child, visit)
  }
}

function changeLink(element: Element, linkOf: Rendering['linkOf']): void {
  if (element.tagName !== 'a' || typeof element.properties.href !== 'string') return
  const link = linkOf(element.properties.href)
  if (link !== null) element.properties.href = link
  else Object.assign(element, { tagName: 'span', properties: {} })
}

function addPermalink(heading: Element): void {
  const link: Element = {
    type: 'element',
    tagName: 'a',
    properties: {
      href: `#${heading.properties.id}`,
      className: ['permalink'],
      ariaLabel: `Link to ${textOf(heading)}`,
    },
    children: [{ type: 'text', value: '#' }],
  }
  heading.children.push({ type: 'text', value: ' ' }, link)
}

/** Wraps each table in a box that scrolls and that the keyboard can reach. */
function wrapTables(parent: Root | Element): void {
  parent.children = parent.children.map((child) => {
    if (child.type !== 'element') return child
    wrapTables(child)
    return child.tagName === 'table'
      ? box('table-box', [child], { tabIndex: 0, role: 'group', ariaLabel: 'Table' })
      : child
  }) as Element['children']
}

const box = (className: string, children: ElementContent[], properties: Element['properties'] = {}): Element => ({
  type: 'element',
  tagName: 'div',
  properties: { className: [className], ...properties },
  children,
})

/**
 * Replaces Mermaid blocks with pictures. The label of each picture is only "Diagram", because the text or a table of
 * the page states the same facts.
 */
const withDiagrams = (children: readonly RootContent[]): Promise<RootContent[]> =>
  Promise.all(
    children.map(async (child) => {
      const code = codeOf(child)
      if (code?.language !== 'mermaid') return child
      const picture: Element = box('diagram-box', [], { tabIndex: 0, role: 'group', ariaLabel: 'Diagram' })
      picture.children = [{ type: 'raw', value: await diagramSvg(code.text) }]
      return picture
    }),
  )

/** Turns consecutive titled code blocks (```ts title="Express") into tabs. */
function withTabs(children: readonly RootContent[], highlighter: Highlighter): RootContent[] {
  const result: RootContent[] = []
  let titled: Titled[] = []
  let groups = 0
  const flush = () => {
    if (titled.length > 0) result.push(tabsOf(titled, ++groups))
    titled = []
  }
  for (const child of children) {
    const code = codeOf(child)
    if (!code) {
      if (child.type === 'text' && child.value.trim() === '') continue
      flush()
      result.push(nestedCode(child, highlighter))
      continue
    }
    const block = codeBlock(code, highlighter)
    if (code.title) titled.push({ title: code.title, block })
    else {
      flush()
      result.push(block)
    }
  }
  flush()
  return result
}

function nestedCode(node: RootContent, highlighter: Highlighter): RootContent {
  if (node.type !== 'element') return node
  node.children = node.children.map((child) => {
    const code = codeOf(child)
    return code ? codeBlock(code, highlighter) : (nestedCode(child, highlighter) as ElementContent)
  })
  return node
}

interface Code {
  readonly language: string
  readonly title: string | null
  readonly text: string
}

function codeOf(node: RootContent): Code | null {
  if (node.type !== 'element' || node.tagName !== 'pre') return null
  const [code] = node.children
  if (code?.type !== 'element') return null
  const [name = ''] = (code.properties.className as string[] | undefined) ?? []
  const [, title = null] = /title="([^"]+)"/.exec((code.data as { meta?: string } | undefined)?.meta ?? '') ?? []
  return { language: name.replace('language-', ''), title, text: textOf(code).replace(/\n$/, '') }
}

function codeBlock({ language, text }: Code, highlighter: Highlighter): Element {
  const code: Element = {
    type: 'element',
    tagName: 'code',
    properties: {},
    children: highlight(highlighter, text, language),
  }
  const pre: Element = { type: 'element', tagName: 'pre', properties: { tabIndex: 0 }, children: [code] }
  const copy: Element = {
    type: 'element',
    tagName: 'button',
    properties: { type: 'button', className: ['copy'], hidden: true },
    children: [{ type: 'text', value: 'Copy' }],
  }
  return box('code-box', [pre, copy])
}

interface Titled {
  readonly title: string
  readonly block: Element
}

/** Radio buttons choose the tab, so tabs work without JavaScript. */
function tabsOf(titled: readonly Titled[], group: number): Element {
  const choices = titled.flatMap(({ title }, index): ElementContent[] => {
    const id = `tabs-${group}-${index + 1}`
    return [
      {
        type: 'element',
        tagName: 'input',
        properties: { type: 'radio', name: `tabs-${group}`, id, checked: index === 0, value: title },
        children: [],
      },
      { type: 'element', tagName: 'label', properties: { htmlFor: [id] }, children: [{ type: 'text', value: title }] },
    ]
  })
  const panels = titled.map(({ block }) => box('tab', [block]))
  return box('tabs', [...choices, ...panels], { role: 'group', ariaLabel: 'Code examples' })
}
