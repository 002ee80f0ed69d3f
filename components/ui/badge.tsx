import type { ReactNode } from 'react'

export type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger'

const tones: Readonly<Record<Tone, string>> = {
  neutral: 'border-line bg-ground text-soft',
  info: 'border-transparent bg-tint text-accent',
  success: 'border-transparent bg-done-tint text-done',
  warning: 'border-transparent bg-warn-tint text-warn',
  danger: 'border-transparent bg-wrong-tint text-wrong',
}

/** The maximum number of characters in one line. A longer text, such as a text with a date, can wrap in a narrow column. */
const longestLine = 24

/** The meaning of a badge is in its words, so readers who do not see the color miss nothing. */
export const Badge = ({ tone, children }: { tone: Tone; children: ReactNode }) => {
  const isShort = typeof children === 'string' && children.length <= longestLine
  return (
    <span
      className={`inline-block rounded-[0.85rem] border px-2 py-0.5 font-medium text-note ${isShort ? 'whitespace-nowrap' : ''} ${tones[tone]}`}
    >
      {children}
    </span>
  )
}
