import type { ReactNode } from 'react'

/** The points of a line in a box of 100 × 30. If all values are zero, the line is at the bottom. */
function pointsOf(values: readonly number[]): readonly (readonly [number, number])[] {
  const most = Math.max(...values, 0)
  const least = Math.min(...values, 0)
  const height = most - least || 1
  const step = values.length > 1 ? 100 / (values.length - 1) : 0
  return values.map((value, index) => [round(index * step), round(29 - ((value - least) / height) * 28)])
}

const round = (value: number): number => Math.round(value * 10) / 10

/** A sparkline: the past values of a figure, next to the figure. */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return null
  const line = pointsOf(values).map(([x, y]) => `${x},${y}`)
  return (
    <svg aria-hidden="true" className="mt-2 h-8 w-full text-accent" preserveAspectRatio="none" viewBox="0 0 100 30">
      <polygon className="fill-current opacity-10" points={`0,30 ${line.join(' ')} 100,30`} />
      <polyline
        className="fill-none stroke-current"
        points={line.join(' ')}
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

export interface Bar {
  readonly label: string
  /** Above the line. */
  readonly up: number
  /** Below the line; 0 for a chart without bars below. */
  readonly down: number
  readonly title: string
}

/** Bars above and below a line, one pair for each period. A table below has the same figures for screen readers. */
export function BarChart({ bars, table, tableTitle }: { bars: readonly Bar[]; table: ReactNode; tableTitle: string }) {
  const most = Math.max(...bars.map(({ up }) => up), 0)
  const lowest = Math.max(...bars.map(({ down }) => down), 0)
  const scale = 150 / (most + lowest || 1)
  const baseline = round(most * scale) + 4
  const width = 600 / Math.max(bars.length, 1)
  const box = (index: number) => ({ rx: 2, width: round(width * 0.6), x: round(index * width + width * 0.2) })
  return (
    <>
      <svg aria-hidden="true" className="mt-4 h-auto w-full" viewBox="0 0 600 164">
        <line className="stroke-line" x1="0" x2="600" y1={baseline} y2={baseline} />
        {bars.map(({ label, up, down, title }, index) => (
          <g key={label}>
            <title>{title}</title>
            {up > 0 && (
              <rect
                {...box(index)}
                className="fill-accent"
                height={round(up * scale)}
                y={round(baseline - up * scale)}
              />
            )}
            {down > 0 && <rect {...box(index)} className="fill-wrong" height={round(down * scale)} y={baseline} />}
          </g>
        ))}
      </svg>
      <div aria-hidden="true" className="flex text-note text-soft max-hand:[&>:nth-child(odd)]:invisible">
        {bars.map(({ label }) => (
          <span className="flex-1 text-center" key={label}>
            {label}
          </span>
        ))}
      </div>
      <details className="mt-2">
        <summary className="inline-flex min-h-8 items-center text-accent text-note underline underline-offset-2">
          {tableTitle}
        </summary>
        {table}
      </details>
    </>
  )
}
