import dictionary from 'dictionary-en'
import type { Nodes } from 'mdast'
import nspell from 'nspell'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

const parser = unified().use(remarkParse).use(remarkGfm)

/** Loads the LibreOffice dictionary, which takes a second. Returns a function that checks a word. */
export function openDictionary(): (word: string) => boolean {
  const speller = nspell(Buffer.from(dictionary.aff), Buffer.from(dictionary.dic))
  return (word) => speller.correct(word)
}

export function wordsOf(markdown: string): Set<string> {
  const words = new Set<string>()
  const visit = (node: Nodes) => {
    if (node.type === 'text')
      for (const [word] of prose(node.value).matchAll(/(?<![\p{L}\d])\p{L}+(?:['’]\p{L}+)*(?![\p{L}\d])/gu))
        words.add(word.replaceAll('’', "'").replace(/'s$/, ''))
    if ('children' in node) for (const child of node.children) visit(child)
  }
  visit(parser.parse(markdown))
  return words
}

const prose = (text: string): string =>
  text
    .replaceAll(/\S+@\S+|\S*(?:\/\/|\w\/\w)\S*|[\w-]+\.[a-z]\w*/g, ' ')
    .replaceAll(/\S*[_=]\S*|\b[a-z]+[A-Z]\w*|\w*\d\w*/g, ' ')
