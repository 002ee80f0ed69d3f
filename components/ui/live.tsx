import type { ReactNode } from 'react'
import { FieldFold } from './field-fold.tsx'
import type { LiveText } from './live-text.ts'

/**
 * The parts of a page that follow a form (`live-form.tsx`). An attribute names the part of the form's text that an
 * element shows. In the browser `behavior/text-writer.ts` puts a new text in place:
 *
 * | Attribute | What the text changes |
 * |---|---|
 * | `data-text` | the words of the element |
 * | `data-shown`, `data-enabled` | whether it is visible, whether a fieldset is sent |
 * | `data-on` | whether it has `data-is-on` |
 * | `data-opened` | opens a fold, by any of several parts; a fold that a person opened stays open |
 * | `data-each` | one child per value; the hidden first child is the model |
 * | `data-offered` | which rows (`data-key`) are visible, and their order |
 * | `data-options` | the options of a select, `{ code, name }` |
 */

/** A figure that is dimmed while a new one is requested. */
export const dimmed = 'in-data-asking:opacity-60 in-data-asking:transition-opacity in-data-asking:delay-200'

export function LiveTaxIdHint({ text }: { text: LiveText }) {
  return (
    <span className="data-is-on:text-done" data-is-on={text.taxId.isGood ? '' : undefined} data-on="taxId.isGood">
      <span data-text="taxId.text">{text.taxId.text}</span>
    </span>
  )
}

/** The company with its tax ID, folded outside the EU. */
export function LiveCompanyFold({ text, isOpen, ...fold }: LiveFoldProps) {
  return <FieldFold {...fold} isOpen={isOpen || text.asksForTaxId} opensWith="asksForTaxId" />
}

/** The optional address, folded unless it is required, or contains a required postal code. */
export function LiveAddressFold({ text, isOpen, hasPostalCode, ...fold }: LiveFoldProps & { hasPostalCode: boolean }) {
  const isAsked = text.asksForAddress || (hasPostalCode && text.asksForProvince)
  const opensWith = hasPostalCode ? 'asksForAddress asksForProvince' : 'asksForAddress'
  return <FieldFold {...fold} isOpen={isOpen || isAsked} opensWith={opensWith} />
}

interface LiveFoldProps {
  text: LiveText
  heading: string
  isOpen: boolean
  children: ReactNode
}

/** Hides the postal code in countries without postal codes, unless one is typed. */
export function LivePostalCode({ text, isFilled, className, children }: LivePostalCodeProps) {
  return (
    <div
      className={className}
      data-or-filled=""
      data-shown="asksForPostalCode"
      hidden={!text.asksForPostalCode && !isFilled}
    >
      {children}
    </div>
  )
}

interface LivePostalCodeProps {
  text: LiveText
  isFilled: boolean
  className: string
  children: ReactNode
}
