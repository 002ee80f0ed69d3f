import type { ReactNode } from 'react'
import { FieldFold } from './field-fold.tsx'
import type { LiveText } from './live-text.ts'

/**
 * The parts of a page that follow a form (`live-form.tsx`). An attribute names the part of the form's text that an element
 * shows. In the browser `behavior/text-writer.ts` puts a new text in place:
 *
 * | Attribute | What follows |
 * |---|---|
 * | `data-text` | the words in it |
 * | `data-shown`, `data-enabled` | whether it shows, whether a fieldset is sent |
 * | `data-on` | whether it has `data-is-on` |
 * | `data-opened` | that a fold is open, by any of several parts; what a person opened stays open |
 * | `data-each` | one child for each value; the first child is the hidden model of all |
 * | `data-offered` | which of its rows (`data-key`) show, and in which order |
 * | `data-options` | the options of a select, `{ code, name }` |
 */

/** A figure that is dimmed while another one is on its way. */
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

/** The optional address, folded while nothing asks for it, nor for the postal code if that is in it. */
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

/** Hides the postal code where addresses have none, unless one is typed. */
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
