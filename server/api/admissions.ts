import type { Context, Resource } from '../kit/context.ts'
import type { Log } from '../kit/log.ts'
import { Admission } from './admission.ts'

/** The admission of each endpoint. A log line says when an endpoint begins to refuse requests, and when that has ended. */
export class Admissions {
  readonly #byEndpoint = new Map<string, Admission>()
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  of(endpoint: string): Admission {
    let admission = this.#byEndpoint.get(endpoint)
    if (!admission)
      this.#byEndpoint.set(endpoint, (admission = new Admission((refused) => this.#note(endpoint, refused))))
    return admission
  }

  /** The requests of each endpoint that are being answered. */
  pending(): { endpoint: string; pending: number }[] {
    return [...this.#byEndpoint].map(([endpoint, { pending }]) => ({ endpoint, pending }))
  }

  #note(endpoint: string, refused: number | undefined): void {
    if (refused === undefined)
      this.#log.warn({ endpoint }, 'more requests arrive than can be answered in time; the others get 503 at once')
    else this.#log.warn({ endpoint, refused }, 'requests are answered again')
  }
}

export const ADMISSIONS: Resource<Admissions> = {
  name: 'admissions',
  make: (ctx: Context) => new Admissions(ctx.log),
}
