import { ErrorSummary } from '@/components/ui/error-summary.tsx'
import { adminText as t } from './text.ts'

interface Props {
  problems: Readonly<Record<string, string | null | undefined>>
  labels: Readonly<Record<string, string>>
  /** If a problem has no field, the summary links to the element with this id. */
  form: string
}

export function FormProblems({ problems, labels, form }: Props) {
  // The problems of a price and of its amount belong to the same form field, so the summary joins them in one entry.
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

/** The field with this name, or else a parent or child field, such as `basePrice.value` for `basePrice`. */
const fieldOf = (name: string, fields: readonly string[]): string | undefined =>
  fields.find((field) => field === name) ??
  fields.find((field) => field.startsWith(`${name}.`) || name.startsWith(`${field}.`))
