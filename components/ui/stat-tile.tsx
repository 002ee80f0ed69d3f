import type { ReactNode } from 'react'
import { Sparkline } from './charts.tsx'

interface StatTileProps {
  label: string
  value: ReactNode
  /** The change from the previous period; null if there is no previous period. */
  change?: string | null
  note?: ReactNode
  /** The figure in past periods, the oldest first. */
  course?: readonly number[]
}

/** A figure with its change and a sparkline. */
export const StatTile = ({ label, value, change, note, course = [] }: StatTileProps) => (
  <div className="rounded-box border border-line bg-paper p-4">
    <p className="text-note text-soft">{label}</p>
    <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
      <strong className="font-semibold text-title">{value}</strong>
      {change && <span className="text-note text-soft">{change}</span>}
    </p>
    {note && <p className="text-note text-soft">{note}</p>}
    <Sparkline values={course} />
  </div>
)
