import { ErrorSummary } from '@/components/ui/error-summary.tsx'
import { adminText as t } from './text.ts'

interface Props {
  /** The problems by field name of the operation. */
  problems: Readonly<Record<string, string | null | undefined>>
  /** The labels of the fields on the page, by their ids. */
  labels: Readonly<Record<string, string>>
  /** The id of the element that problems without a field link to. */
  form: string
}

/** The error summary of a form, at the top of its page. Empty without problems. */
export function FormProblems({ problems, labels, form }: Props) {
  // One entry per target: a price and its amount share one field.
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

/** The field with this name, or else a field inside or around that field: `basePrice.value` for `basePrice`. */
const fieldOf = (name: string, fields: readonly string[]): string | undefined =>
  fields.find((field) => field === name) ??
  fields.find((field) => field.startsWith(`${name}.`) || name.startsWith(`${field}.`))
