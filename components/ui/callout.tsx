import type { ReactNode } from 'react'

const tones = {
  warning: 'border-warn bg-warn-tint',
  danger: 'border-wrong bg-wrong-tint',
  info: 'border-line bg-tint',
} as const

export const Callout = ({
  tone,
  title,
  children,
}: {
  tone: keyof typeof tones
  title: ReactNode
  children?: ReactNode
}) => (
  <div className={`mb-6 rounded-box border p-3 ${tones[tone]}`}>
    <p className="font-semibold">{title}</p>
    {children}
  </div>
)
