import fc from 'fast-check'
import type { Answer } from './answer.ts'
import { expectAnswer, expectSame } from './compare.ts'
import type { Helped } from './operations.ts'
import { passTime } from './passing-time.ts'
import { type Real, type Reply, runDueWork } from './real.ts'
import type { World } from './world.ts'

/** An action on the service and on the model. The service runs first, and the results are compared. */
export interface Deed {
  readonly said: string
  readonly really: () => Promise<Reply>
  readonly inModel: () => Answer | Helped
}

export const tally = new Map<string, number>()

export const seen = new Set<string>()

export class Command<Input> implements fc.AsyncCommand<World, Real> {
  #said: string
  constructor(
    readonly name: string,
    readonly input: Input,
    readonly applies: (world: World, input: Input) => boolean,
    readonly deed: (world: World, real: Real, input: Input) => Deed,
  ) {
    this.#said = `${name} ${print(input)}`
  }

  check(world: Readonly<World>): boolean {
    return this.applies(world as World, this.input)
  }

  async run(world: World, real: Real): Promise<void> {
    const { said, really, inModel } = this.deed(world, real, this.input)
    this.#said = `${said} -> ?`
    const reply = await really()
    this.#said = `${said} -> ${reply.status}`
    const counted = [this.name, reply.status, ...Object.keys(reply.body?.errors ?? {})].join(' ')
    tally.set(counted, (tally.get(counted) ?? 0) + 1)
    const modeled = inModel()
    const { answer, happens } = 'answer' in modeled ? modeled : { answer: modeled, happens: undefined }
    expectAnswer(real, reply, answer)
    await runDueWork(real, world.now)
    happens?.()
    passTime(world, world.now)
    await expectSame(world, real)
    for (const { status } of world.refunds) seen.add(`${status} refund`)
    for (const { status } of world.chargebacks) seen.add(`${status} chargeback`)
  }

  [fc.cloneMethod](): Command<Input> {
    return new Command(this.name, this.input, this.applies, this.deed)
  }

  toString(): string {
    return `\n  ${this.#said}`
  }
}

export const print = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) / 100 : each)) ?? ''

interface Chosen<Thing> {
  readonly world: World
  readonly real: Real
  readonly thing: Thing
  readonly number: number
}

export const onOneOf =
  <Thing>(noun: string, things: (world: World) => readonly Thing[]) =>
  <Input>(
    weight: number,
    name: string,
    meantFor: (thing: Thing) => boolean,
    input: fc.Arbitrary<Input>,
    deed: (chosen: Chosen<Thing>, input: Input) => Deed,
  ) => {
    const onThing = (
      world: World,
      real: Real,
      { nth, anyone, input }: { nth: number; anyone: boolean; input: Input },
    ) => {
      const among = things(world).filter((each) => anyone || meantFor(each))
      const thing = among[nth % among.length]
      if (!thing) throw new Error('no object to act on')
      const number = things(world).indexOf(thing)
      const onThis = deed({ world, real, thing, number }, input)
      return { ...onThis, said: `${onThis.said} [${noun} ${number}]` }
    }
    const given = fc.record({ nth: fc.nat(19), anyone: fc.nat(7).map((n) => n === 7), input })
    const applies = (world: World, { anyone }: { anyone: boolean }) =>
      things(world).some((each) => anyone || meantFor(each))
    const command = given.map((chosen) => new Command(name, chosen, applies, onThing))
    return Array.from({ length: weight }, () => command)
  }
