import type { ReactNode } from 'react'
import { Sparkline } from './charts.tsx'

interface StatTileProps {
  label: string
  /** The label in full, if `label` is an abbreviation. */
  title?: string
  value: ReactNode
  /** The change from the previous period. Null if no previous period exists. */
  change?: string | null
  note?: ReactNode
  /** The figure in past periods, oldest first. */
  course?: readonly number[]
}

export const StatTile = ({ label, title, value, change, note, course = [] }: StatTileProps) => (
  <div className="rounded-box border border-line bg-paper p-4">
    {/* One line, so that the values of tiles side by side are level. */}
    <p className="truncate text-note text-soft" title={title ?? label}>
      {label}
    </p>
    <p className="mt-1">
      <strong className="font-semibold text-title">{value}</strong>
    </p>
    {change && <p className="text-note text-soft">{change}</p>}
    {note && <p className="text-note text-soft">{note}</p>}
    <Sparkline values={course} />
  </div>
)
