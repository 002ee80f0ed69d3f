const atOnce = 1_000
const mostAtOneTime = 200_000

/**
 * Deletes what `step` finds, at most `limit` rows in each statement: a single one for all of them would hold their locks for
 * long and leave the work of an hour to the next vacuum. Ends when a step finds less, or leaves the rest to another time.
 * Returns the number of rows.
 */
export async function inSteps(step: (limit: number) => Promise<number>): Promise<number> {
  let all = 0
  for (let found = atOnce; found === atOnce && all < mostAtOneTime; all += found) found = await step(atOnce)
  return all
}
