import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

export async function pagesOfPdf(bytes: Uint8Array): Promise<string[]> {
  const file = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise
  const pages = await Promise.all(Array.from({ length: file.numPages }, (_, index) => file.getPage(index + 1)))
  const contents = await Promise.all(pages.map((page) => page.getTextContent()))
  return contents.map(({ items }) => withoutSpaces(items.map((item) => ('str' in item ? item.str : '')).join('')))
}

export const textOfPdf = async (bytes: Uint8Array): Promise<string> => (await pagesOfPdf(bytes)).join('')

export const withoutSpaces = (text: string): string => text.normalize('NFC').replaceAll(/\s/g, '')
