import type { ComponentProps, ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface Frame {
  /** The name of the field, which is also its id unless `id` is given. */
  name: string
  id?: string
  label: string
  hint?: ReactNode
  error?: string | undefined
}

export function Field({
  name,
  id = name,
  label,
  hint,
  error,
  ...input
}: Frame & Omit<ComponentProps<'input'>, 'name' | 'id'>) {
  return (
    <FieldFrame error={error} hint={hint} label={label} name={id}>
      <input className="control" type="text" {...input} {...frameAttributes({ name: id, hint, error })} name={name} />
    </FieldFrame>
  )
}

export function AreaField({
  name,
  label,
  hint,
  error,
  ...area
}: Frame & Omit<ComponentProps<'textarea'>, 'name' | 'id'>) {
  return (
    <FieldFrame error={error} hint={hint} label={label} name={name}>
      <textarea className="control h-28 py-2" {...area} {...frameAttributes({ name, hint, error })} />
    </FieldFrame>
  )
}

/** If `oneRow` is set, label and hint are next to the select on a desktop. */
export function SelectField({
  name,
  label,
  hint,
  error,
  oneRow = false,
  ...select
}: Frame & { oneRow?: boolean } & Omit<ComponentProps<'select'>, 'name' | 'id'>) {
  return (
    <FieldFrame error={error} hint={hint} label={label} name={name} oneRow={oneRow}>
      <Select {...select} {...frameAttributes({ name, hint, error })} />
    </FieldFrame>
  )
}

export const Select = (select: ComponentProps<'select'>) => (
  <div className="relative">
    <select className="control appearance-none truncate pe-10" {...select} />
    <Icon className="pointer-events-none absolute end-3 top-3.5 size-5 text-soft" name="chevron" />
  </div>
)

function frameAttributes({ name, hint, error }: Pick<Frame, 'name' | 'hint' | 'error'>) {
  const describedBy = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ')
  return {
    id: name,
    name,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy || undefined,
  }
}

/** The select is as wide as its longest option. Label and hint take the rest of the row. */
const inOneRow =
  'wide:grid wide:grid-cols-[minmax(0,1fr)_auto] wide:gap-x-3 wide:[&>div]:col-start-2 wide:[&>div]:row-span-2 wide:[&>div]:row-start-1'
const labelInOneRow = 'wide:mb-0 wide:self-end wide:leading-4'
const hintInOneRow = 'wide:col-start-1 wide:row-start-2 wide:mt-0 wide:leading-4'

function FieldFrame({
  name,
  label,
  hint,
  error,
  oneRow = false,
  children,
}: Frame & { oneRow?: boolean; children: ReactNode }) {
  return (
    <div className={`min-w-0 ${oneRow ? inOneRow : ''}`}>
      <label className={`mb-1 block font-medium text-note ${oneRow ? labelInOneRow : ''}`} htmlFor={name}>
        {label}
      </label>
      {children}
      {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
      {hint && (
        <p className={`mt-1 text-note text-soft ${oneRow ? hintInOneRow : ''}`} id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** A required confirmation. A checked box sends `yes`. */
export const TickField = ({ name, label, error }: { name: string; label: string; error: string | undefined }) => (
  <div>
    <label className="flex items-start gap-2">
      <input
        aria-describedby={error && `${name}-error`}
        aria-invalid={error ? true : undefined}
        className="mt-0.5 size-5"
        id={name}
        name={name}
        required
        type="checkbox"
        value="yes"
      />
      {label}
    </label>
    {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
  </div>
)

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className="mt-1 flex gap-1 text-note text-wrong" id={id}>
      <Icon className="size-5 shrink-0" name="alert" />
      {children}
    </p>
  )
}
