import { ErrorSummary } from '@/components/ui/error-summary.tsx'
import { adminText as t } from './text.ts'

interface Props {
  /** What is wrong, by field as the operation names it. */
  problems: Readonly<Record<string, string | null | undefined>>
  /** The labels of the fields on the page, by their ids. */
  labels: Readonly<Record<string, string>>
  /** The id that a problem leads to which belongs to none of these fields. */
  form: string
}

/** What is wrong with the form that led here, above everything else on its page; nothing where nothing is. */
export function FormProblems({ problems, labels, form }: Props) {
  // One entry for each place that it leads to: a price and its amount are refused in one field.
  const listed = new Map<string, string>()
  for (const [name, sentence] of Object.entries(problems)) {
    if (!sentence) continue
    const field = fieldOf(name, Object.keys(labels))
    const place = field ?? form
    const label = field === undefined ? undefined : labels[field]
    const before = listed.get(place)
    const text = before || label === undefined ? sentence : t('problems.listed', { field: label, text: sentence })
    listed.set(place, before ? `${before} ${text}` : text)
  }
  if (listed.size === 0) return null
  return (
    <div className="mb-4">
      <ErrorSummary
        heading={t('problems.heading', { count: listed.size })}
        problems={[...listed].map(([field, text]) => ({ field, listed: text }))}
      />
    </div>
  )
}

/** The field of this name, or the one that is a part of it or that it is a part of: `basePrice.value` of `basePrice`. */
const fieldOf = (name: string, fields: readonly string[]): string | undefined =>
  fields.find((field) => field === name) ??
  fields.find((field) => field.startsWith(`${name}.`) || name.startsWith(`${field}.`))
