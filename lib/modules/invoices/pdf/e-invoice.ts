/** Factur-X and ZUGFeRD (since version 2.1) require this file name. */
const attachmentName = 'factur-x.xml'

const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

const properties: readonly (readonly [name: string, description: string, value: string])[] = [
  ['DocumentFileName', 'The name of the embedded XML document', attachmentName],
  ['DocumentType', 'The type of the hybrid document in capital letters', 'INVOICE'],
  ['Version', 'The version of the standard that the embedded XML document follows', '1.0'],
  ['ConformanceLevel', 'The conformance level of the embedded XML document', 'EN 16931'],
]

/** The metadata that Factur-X 1.0, chapter 6.2, requires, with the extension schema that PDF/A requires. */
const metadata = `
        <rdf:Description rdf:about="" xmlns:fx="${namespace}">
            ${properties.map(([name, , value]) => `<fx:${name}>${value}</fx:${name}>`).join('')}
        </rdf:Description>
        <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
            xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
            <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
                <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
                <pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>
                <pdfaSchema:prefix>fx</pdfaSchema:prefix>
                <pdfaSchema:property><rdf:Seq>${properties
                  .map(
                    ([name, description]) => `<rdf:li rdf:parseType="Resource">
                    <pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>
                    <pdfaProperty:category>external</pdfaProperty:category>
                    <pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
                  )
                  .join('')}</rdf:Seq></pdfaSchema:property>
            </rdf:li></rdf:Bag></pdfaExtension:schemas>
        </rdf:Description>`

/** The types of pdfkit lack these methods. `file` attaches a file and states its relationship to the document (ISO 32000-2). */
interface Doc {
  file(source: Buffer, options: object): void
  appendXML(xml: string): void
}

/** Embeds the XML as Factur-X and ISO 19005-3 require. The dates come from the document, so that equal documents give equal bytes. */
export function embedEInvoice(document: unknown, xml: string, madeAt: Date): void {
  const doc = document as Doc
  const dates = { creationDate: madeAt, modifiedDate: madeAt }
  doc.file(Buffer.from(xml), { name: attachmentName, type: 'text/xml', relationship: 'Alternative', ...dates })
  doc.appendXML(metadata)
}
