export * from '@/lib/kernel/format.ts'

/** The name of a rate as the reader knows it: the tables call every European one `VAT`. */
export function taxName(name: string, names: { vat: string; reverseCharge: string }): string {
  return { VAT: names.vat, 'Reverse charge': names.reverseCharge }[name] ?? name
}
