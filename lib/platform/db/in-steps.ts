const atOnce = 1_000
const mostAtOneTime = 200_000

/**
 * Deletes up to 200,000 rows in steps of at most 1,000 rows, because one statement would hold its locks for a long time. Returns the number of deleted rows.
 */
export async function inSteps(step: (limit: number) => Promise<number>): Promise<number> {
  let all = 0
  for (let found = atOnce; found === atOnce && all < mostAtOneTime; all += found) found = await step(atOnce)
  return all
}
