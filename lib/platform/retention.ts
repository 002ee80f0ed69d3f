/** How long stored answers of idempotency keys are kept. */
export const answersKeptHours = 24
/** How long the attempts of webhook deliveries are kept. */
export const attemptsKeptDays = 90
/** How much of a receiver's answer is kept. */
export const answerKeptBytes = 2048
