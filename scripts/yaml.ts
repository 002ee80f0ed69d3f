import { parseAllDocuments } from 'yaml'

/** Parses the documents of a YAML text. Throws for an error or a warning, such as a repeated key. */
// biome-ignore lint/suspicious/noExplicitAny: callers check the values by their use
export function parseYaml(text: string): any[] {
  return parseAllDocuments(text, { merge: true, strict: true, uniqueKeys: true }).map((document) => {
    const [problem] = [...document.errors, ...document.warnings]
    if (problem) throw problem
    return document.toJS()
  })
}
