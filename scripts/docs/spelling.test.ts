import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { navigation, pagesOf } from '../../components/docs/navigation.ts'
import { openDictionary, wordsOf } from './spelling.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const files = [...pagesOf(navigation).map(({ file }) => file), 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
const listed = read('scripts/docs/words.txt').trimEnd().split('\n')
const words = new Map(files.map((file) => [file, wordsOf(read(file))]))
const isInDictionary = openDictionary()

describe('the spelling of the documentation', () => {
  it('every word of the documentation is in the dictionary or in scripts/docs/words.txt', () => {
    const isCorrect = (word: string) => isInDictionary(word) || listed.includes(word)
    const wrong = [...words].flatMap(([file, each]) =>
      [...each].filter((word) => !isCorrect(word)).map((word) => `${file}: ${word}`),
    )
    expect(wrong).toEqual([])
  })

  it('every word of scripts/docs/words.txt occurs in the documentation and is not in the dictionary', () => {
    const used = new Set([...words.values()].flatMap((each) => [...each]))
    expect(listed.filter((word) => isInDictionary(word) || !used.has(word))).toEqual([])
  })
})

describe('the words of a text', () => {
  it('a misspelled word is found in a paragraph, a heading, and a table', () => {
    const text = '# Recieve\n\nA webhok is *sentt*.\n\n| Fild |\n|---|\n| teh seller’s |\n'
    expect([...wordsOf(text)].filter((word) => !isInDictionary(word))).toEqual([
      'Recieve',
      'webhok',
      'sentt',
      'Fild',
      'teh',
    ])
  })

  it('the spelling check skips code, addresses, file names, and identifiers', () => {
    const text =
      'The `fooo` in lib/kernel/idz.ts and idz.ts of https://x.example/abcd, ad@exmple.com, paidUntil, and rate_limt.'
    expect([...wordsOf(text)]).toEqual(['The', 'in', 'and', 'of'])
  })
})
