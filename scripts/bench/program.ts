import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'

export interface Program<Question, Answer> {
  /** Resolves with the answer of the program. Throws if the program reports an error, ends, or takes longer than two minutes. */
  ask(question: Question): Promise<Answer>
  stop(): Promise<void>
}

type Reply<Answer> = { answer: Answer } | { error: string }

const patienceMs = 120_000

export function program<Question, Answer>(file: string): Program<Question, Answer> {
  const child = fork(path.join(import.meta.dirname, file), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    async ask(question) {
      const reply = await replyOf<Answer>(child, file, question)
      if ('error' in reply) throw new Error(reply.error)
      return reply.answer
    },
    async stop() {
      child.kill()
      await ended
    },
  }
}

function replyOf<Answer>(child: ChildProcess, file: string, question: unknown): Promise<Reply<Answer>> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(late)
      child.off('message', onMessage).off('exit', onExit)
      act()
    }
    const onMessage = (reply: unknown) => settle(() => resolve(reply as Reply<Answer>))
    const onExit = () => settle(() => reject(new Error(`${file} ended`)))
    const late = setTimeout(() => settle(() => reject(new Error(`${file} did not answer`))), patienceMs)
    child.once('message', onMessage).once('exit', onExit)
    child.send(question as object)
  })
}

/** Answers each question of the parent process with the result of `work`. This process ends when its parent process ends. */
export function answer<Question, Answer>(work: (question: Question) => Promise<Answer>): void {
  const reply = (message: Reply<Answer>) => process.send?.(message)
  process.on('disconnect', () => process.exit())
  process.on('message', (question) => {
    work(question as Question).then(
      (answer) => reply({ answer }),
      (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) }),
    )
  })
}
