/** A code block, or an instruction to the test in a comment such as `<!-- test: pay CHECKOUT -->`. */
export type GuideStep = CodeBlock | { readonly kind: 'test'; readonly action: string; readonly argument: string }

export interface CodeBlock {
  readonly kind: 'code'
  readonly language: string
  readonly title: string | null
  /** Whether the commands run in the background until the guide ends. */
  readonly isBackground: boolean
  readonly skip: string | null
  /** The test that runs the block (```ts run="verify"). */
  readonly run: string | null
  readonly text: string
}

export function stepsOf(markdown: string): GuideStep[] {
  const steps = /^ *```(\w+)?(.*)\n([\s\S]*?)^ *```$|^ *<!-- test: (\w+) ?(.*) -->$/gm
  return [...markdown.matchAll(steps)].map(
    ([, language = '', meta = '', text = '', action, argument = '']): GuideStep => {
      if (action !== undefined) return { kind: 'test', action, argument }
      const value = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(meta)?.[1] ?? null
      const isBackground = value('background') !== null
      return {
        kind: 'code',
        language,
        title: value('title'),
        isBackground,
        skip: value('skip'),
        run: value('run'),
        text,
      }
    },
  )
}

export const codeBlocksOf = (markdown: string): CodeBlock[] =>
  stepsOf(markdown).filter((step): step is CodeBlock => step.kind === 'code')
