import type { Element, ElementContent } from 'hast'
import { createCssVariablesTheme, createHighlighter, type Highlighter } from 'shiki'

const languages = [
  'sh',
  'json',
  'ts',
  'js',
  'tsx',
  'python',
  'php',
  'ruby',
  'go',
  'ini',
  'sql',
  'html',
  'yaml',
  'nginx',
] as const

const theme = createCssVariablesTheme({ name: 'billhook', variablePrefix: '--code-', fontStyle: false })

export const createCodeHighlighter = (): Promise<Highlighter> =>
  createHighlighter({ themes: [theme], langs: [...languages] })

const isHighlighted = (language: string): boolean => (languages as readonly string[]).includes(language)

/** The Content-Security-Policy forbids style attributes, so colors are classes. */
export function highlight(highlighter: Highlighter, code: string, language: string): ElementContent[] {
  if (!isHighlighted(language)) return [{ type: 'text', value: code }]
  const { tokens } = highlighter.codeToTokens(code, { lang: language as 'sh', theme: 'billhook' })
  return tokens.flatMap((line, index) => [
    ...(index > 0 ? [{ type: 'text' as const, value: '\n' }] : []),
    ...line.map(({ content, color }) => tokenOf(content, color)),
  ])
}

function tokenOf(content: string, color: string | undefined): ElementContent {
  const [, name] = /^var\(--(code-token-[a-z-]+)\)$/.exec(color ?? '') ?? []
  const text = { type: 'text', value: content } as const
  return name
    ? ({ type: 'element', tagName: 'span', properties: { className: [name] }, children: [text] } satisfies Element)
    : text
}
