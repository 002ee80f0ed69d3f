import type { ReactNode } from 'react'
import { FieldFold } from './field-fold.tsx'
import type { LiveText } from './live-text.ts'

/**
 * The parts of a page that change with the input of a form (`live-form.tsx`). An attribute names the part of the form's text that an
 * element shows. In the browser, `behavior/text-writer.ts` writes new text into the elements:
 *
 * | Attribute | What the text changes |
 * |---|---|
 * | `data-text` | the words of the element |
 * | `data-shown`, `data-enabled` | whether the element is visible, and whether a fieldset is sent |
 * | `data-on` | whether the element has `data-is-on` |
 * | `data-opened` | opens a fold if any of several parts is set; a fold that a person opened stays open |
 * | `data-each` | one child per value; the hidden first child is the template |
 * | `data-offered` | which rows (`data-key`) are visible, and their order |
 * | `data-options` | the options of a select, `{ code, name }` |
 */

/**
 * Mutes a figure while a new figure is requested. Uses a muted color with a contrast of at least 4.5:1 instead of a
 * lower opacity, which has less contrast.
 */
export const muted = 'in-data-asking:text-soft in-data-asking:transition-colors in-data-asking:delay-200'

export function LiveTaxIdHint({ text }: { text: LiveText }) {
  return (
    <span className="data-is-on:text-done" data-is-on={text.taxId.isGood ? '' : undefined} data-on="taxId.isGood">
      <span data-text="taxId.text">{text.taxId.text}</span>
    </span>
  )
}

/** The company with its tax ID, collapsed outside the EU. */
export function LiveCompanyFold({ text, isOpen, ...fold }: LiveFoldProps) {
  return <FieldFold {...fold} isOpen={isOpen || text.asksForTaxId} opensWith="asksForTaxId" />
}

/** The address, collapsed unless the address or its postal code is required. */
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

/** Hides the postal code in countries without postal codes, unless a postal code is entered. */
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
