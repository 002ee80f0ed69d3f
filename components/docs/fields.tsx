import { Fragment } from 'react'
import { adminText as t } from '@/components/admin/text.ts'
import type { Refused } from './reference.ts'
import type { Field } from './schema.ts'

/** Renders a text of the OpenAPI document. A part in backticks becomes code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split('`')
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order
  return parts.map((part, index) => <Fragment key={index}>{index % 2 === 0 ? part : <Code text={part} />}</Fragment>)
}

const Code = ({ text }: { text: string }) => <code className="font-mono text-note">{text}</code>

/** Maps the name of each schema to the URL of its heading. */
export type ShapeLinks = Readonly<Record<string, string>>

interface TypeProps {
  type: string
  shapes: readonly string[]
  links: ShapeLinks
}

export function TypeWords({ type, shapes, links }: TypeProps) {
  return type.split(/\b/).map((word, index) =>
    shapes.includes(word) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one type keep their order
      <a href={links[word]} key={index}>
        {word}
      </a>
    ) : (
      word
    ),
  )
}

interface FieldListProps {
  fields: readonly (Field & { readonly place?: string })[]
  links: ShapeLinks
}

export function FieldList({ fields, links }: FieldListProps) {
  return (
    <ul className="divide-y divide-line border-line border-y">
      {fields.map((field) => (
        <li className="py-3" key={field.name}>
          <p>
            <code className="font-mono font-semibold text-note">{field.name}</code>{' '}
            <span className="text-note text-soft">
              <TypeWords links={links} shapes={field.shapes} type={field.type} />
              {field.place && `, ${t('docs.place', { place: field.place })}`}
              {field.isRequired && `, ${t('docs.required')}`}
            </span>
          </p>
          {field.text && (
            <p className="mt-1 max-w-2xl">
              <Prose text={field.text} />
            </p>
          )}
          <Rules field={field} />
          {field.fields.length > 0 && (
            <section aria-label={t('docs.fieldsOf', { name: field.name })} className="mt-2 border-line border-l-2 pl-4">
              <FieldList fields={field.fields} links={links} />
            </section>
          )}
        </li>
      ))}
    </ul>
  )
}

function Rules({ field: { values, rules } }: { field: Field }) {
  return (
    <>
      {values.length > 0 && (
        <p className="mt-1 text-note text-soft">
          {t(values.length === 1 ? 'docs.value' : 'docs.values')} <Code text={values.join(', ')} />
        </p>
      )}
      {rules.length > 0 && (
        <p className="mt-1 text-note text-soft">
          <Prose text={rules.join(', ')} />
        </p>
      )}
    </>
  )
}

export function RefusedList({ refused }: { refused: readonly Refused[] }) {
  return (
    <ul className="divide-y divide-line border-line border-y">
      {refused.map(({ status, code, text }) => (
        <li className="py-2" key={code}>
          <span className="font-semibold text-note">{status}</span> <Code text={code} />
          <p className="max-w-2xl">
            <Prose text={text} />
          </p>
        </li>
      ))}
    </ul>
  )
}
