interface Checked {
  readonly invariant: string
  readonly name: string
  readonly status: 'ok' | 'broken'
  readonly count: number
}

export function verdict(findings: readonly Checked[]): string {
  const broken = findings.filter(({ status }) => status === 'broken')
  if (broken.length === 0) return `All ${findings.length} invariants hold.`
  const named = broken.map(
    ({ invariant, name, count }) => `${invariant} ${name} (${count} ${count === 1 ? 'row' : 'rows'})`,
  )
  return `${broken.length} of ${findings.length} invariants ${broken.length === 1 ? 'is' : 'are'} broken: ${named.join('; ')}.`
}
