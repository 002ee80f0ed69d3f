/** The points of a line in a box of 100 × 30. If all values are zero, the line is at the bottom. */
function pointsOf(values: readonly number[]): readonly (readonly [number, number])[] {
  const most = Math.max(...values, 0)
  const least = Math.min(...values, 0)
  const height = most - least || 1
  const step = values.length > 1 ? 100 / (values.length - 1) : 0
  return values.map((value, index) => [round(index * step), round(29 - ((value - least) / height) * 28)])
}

const round = (value: number): number => Math.round(value * 10) / 10

interface FilledLineProps {
  values: readonly number[]
  size: string
  stroke: number
}

function FilledLine({ values, size, stroke }: FilledLineProps) {
  const line = pointsOf(values)
    .map(([x, y]) => `${x},${y}`)
    .join(' ')
  return (
    <svg aria-hidden="true" className={`${size} w-full text-accent`} preserveAspectRatio="none" viewBox="0 0 100 30">
      <polygon className="fill-current opacity-15" points={`0,30 ${line} 100,30`} />
      <polyline
        className="fill-none stroke-current"
        points={line}
        strokeWidth={stroke}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

export const Sparkline = ({ values }: { values: readonly number[] }) =>
  values.length < 2 ? null : <FilledLine size="mt-2 h-8" stroke={1.5} values={values} />

/** A part of a bar. `color` is a class such as `fill-accent`. */
interface Segment {
  readonly value: number
  readonly color: string
}

export interface Bar {
  readonly key: string
  readonly label: string
  /** The segments above the baseline, from the baseline upward. */
  readonly up: readonly Segment[]
  /** The segments below the baseline, from the baseline downward. */
  readonly down: readonly Segment[]
}

const totalOf = (segments: readonly Segment[]): number => segments.reduce((sum, { value }) => sum + value, 0)

/**
 * Stacked bars above and below a baseline, one bar per period. Screen readers skip the bars, because the page also has
 * a table with the same figures.
 */
export function BarChart({ bars }: { bars: readonly Bar[] }) {
  const most = Math.max(...bars.map(({ up }) => totalOf(up)), 0)
  const lowest = Math.max(...bars.map(({ down }) => totalOf(down)), 0)
  const scale = 150 / (most + lowest || 1)
  const baseline = round(most * scale) + 4
  const width = 600 / Math.max(bars.length, 1)
  // One path per color, because one rectangle per segment would double the size of the page.
  const shapes = new Map<string, string>()
  const draw = (index: number, { color, value, below }: Stacked, direction: 1 | -1) => {
    const [x, y] = [round(index * width + width * 0.15), round(baseline + direction * below * scale)]
    const shape = `M${x} ${y}v${round(direction * value * scale)}h${round(width * 0.7)}V${y}z`
    shapes.set(color, (shapes.get(color) ?? '') + shape)
  }
  for (const [index, { up, down }] of bars.entries()) {
    for (const segment of stacked(up)) draw(index, segment, -1)
    for (const segment of stacked(down)) draw(index, segment, 1)
  }
  return (
    <>
      <svg aria-hidden="true" className="mt-4 h-auto w-full" viewBox="0 0 600 164">
        <line className="stroke-line" x1="0" x2="600" y1={baseline} y2={baseline} />
        {[...shapes].map(([color, path]) => (
          <path className={color} d={path} key={color} />
        ))}
      </svg>
      <AxisLabels labels={bars} />
    </>
  )
}

interface Stacked extends Segment {
  /** The sum of the segments between the baseline and this segment. */
  readonly below: number
}

function stacked(segments: readonly Segment[]): Stacked[] {
  let sum = 0
  return segments.flatMap(({ color, value }) => {
    const below = sum
    sum += value
    return value > 0 ? [{ color, value, below }] : []
  })
}

export const AreaChart = ({ values }: { values: readonly number[] }) => (
  <FilledLine size="mt-4 h-32" stroke={2} values={values} />
)

const AxisLabels = ({ labels }: { labels: readonly Pick<Bar, 'key' | 'label'>[] }) => (
  <div aria-hidden="true" className="flex h-5 text-note text-soft">
    {labels.map(({ key, label }) => (
      <span className="relative flex-1" key={key}>
        <span className="absolute left-1/2 -translate-x-1/2 whitespace-nowrap">{label}</span>
      </span>
    ))}
  </div>
)
