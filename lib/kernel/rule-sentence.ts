import type { Rule } from './rule-problem.ts'
import { ruleTexts } from './rule-texts.ts'

export interface FoundRule<Named extends Rule> {
  readonly rule: Named
  /** The values of the placeholders of the sentence. */
  readonly values: Readonly<Record<string, string>>
}

const special = /[.*+?^${}()|[\]\\]/g

const patternOf = (rule: Rule): RegExp =>
  new RegExp(`^${ruleTexts[rule].replaceAll(special, '\\$&').replaceAll(/\\\{(\w+)\\\}/g, '(?<$1>.+)')}$`)

/**
 * Returns a function that finds which rule of `rules` a stored English sentence states. The function returns null for
 * an unknown sentence.
 */
export function ruleFinder<Named extends Rule>(rules: readonly Named[]): (sentence: string) => FoundRule<Named> | null {
  const patterns = rules.map((rule) => [rule, patternOf(rule)] as const)
  return (sentence) => {
    for (const [rule, pattern] of patterns) {
      const found = pattern.exec(sentence)
      if (found) return { rule, values: { ...found.groups } }
    }
    return null
  }
}
