import type { ReactNode } from 'react'

export type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger'

const tones: Readonly<Record<Tone, string>> = {
  neutral: 'border-line bg-ground text-soft',
  info: 'border-transparent bg-tint text-accent',
  success: 'border-transparent bg-done-tint text-done',
  warning: 'border-transparent bg-warn-tint text-warn',
  danger: 'border-transparent bg-wrong-tint text-wrong',
}

/** A status in one or two words. The color repeats the words and adds nothing to them. */
export const Badge = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span
    className={`inline-block wide:whitespace-nowrap rounded-full border px-2 py-0.5 font-medium text-note ${tones[tone]}`}
  >
    {children}
  </span>
)
