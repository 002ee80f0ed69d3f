import type { FactSheet } from '../page.ts'
import { newPdfWriter } from './pdf-writer.ts'

export async function drawFactSheet({ title, note, madeAt, sections }: FactSheet): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = newPdfWriter({ title, locale: 'en', han: 'chinese', eInvoice: null, madeAt: new Date(madeAt) })
  const whole = { x: pdf.left, width: pdf.right - pdf.left }
  const label = { x: pdf.left, width: 150 }
  const value = { x: pdf.left + 164, width: pdf.right - pdf.left - 164 }
  pdf.write('H1', title, whole, { bold: true, size: 18 })
  pdf.y += 3
  pdf.write('P', note, whole, { soft: true })
  for (const { heading, facts } of sections) {
    pdf.y += 16
    if (pdf.room() < 60) pdf.newPage()
    pdf.write('H2', heading, whole, { bold: true, size: 11 })
    pdf.y += 2
    pdf.rule(0.9)
    pdf.element('L', () => {
      for (const fact of facts) {
        const height = Math.max(pdf.height(fact.label, label.width), pdf.height(fact.value, value.width))
        if (pdf.room() < height + 6) pdf.newPage()
        pdf.y += 3
        pdf.element('LI', () =>
          pdf.columns([
            () => pdf.write('Lbl', fact.label, label, { soft: true }),
            () => pdf.write('LBody', fact.value, value),
          ]),
        )
        pdf.y += 3
      }
    })
  }
  pdf.run(null, (number, of) => (of > 1 ? `${title} · ${number}/${of}` : null))
  return pdf.finish()
}
