const atOnce = 1_000
const mostAtOneTime = 200_000

/**
 * Deletes at most `limit` rows in each statement: one statement for all would hold their locks for long. Ends when a
 * step finds less. Returns the number of rows.
 */
export async function inSteps(step: (limit: number) => Promise<number>): Promise<number> {
  let all = 0
  for (let found = atOnce; found === atOnce && all < mostAtOneTime; all += found) found = await step(atOnce)
  return all
}
