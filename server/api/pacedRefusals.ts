import type { ServerResponse } from 'node:http'
import { AppError } from '../kit/error.ts'
import { wireError } from './errors.ts'

/** How often waiting refusals are sent, in milliseconds. */
const TICK = 20
/** Refusals per answer. One costs up to half as much as an answer, so this is a tenth of the CPU. */
const PER_ANSWER = 0.2
/** A refusal waits no longer than this, in seconds. */
const LONGEST = 2
/** Sent per second at any rate of answers. */
const LEAST = 500

const { status, body } = wireError(new AppError('unavailable'))
const HEADERS = {
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  'retry-after': '1',
}

/**
 * Answers requests that are not accepted with 503, without reading them. Under a flood even that would take most of the CPU, so
 * refusals are sent at a bounded rate and the rest wait: a client that waits for its refusal sends nothing else meanwhile.
 */
export class PacedRefusals {
  #waiting: ServerResponse[] = []
  #left = 0
  #timer: NodeJS.Timeout | undefined
  #answersPerSecond = 0

  /** Sends the refusal, now or at most about 2 s later. Headers that were set on the response are kept. */
  refuse(response: ServerResponse, answersPerSecond: number): void {
    this.#answersPerSecond = answersPerSecond
    if (this.#waiting.length === 0 && this.#left > 0) {
      this.#left -= 1
      send(response)
    } else this.#waiting.push(response)
    this.#timer ??= setInterval(() => this.#tick(), TICK).unref()
  }

  #tick(): void {
    const perSecond = Math.max(LEAST, this.#answersPerSecond * PER_ANSWER, this.#waiting.length / LONGEST)
    const now = Math.ceil((perSecond * TICK) / 1000)
    const sent = this.#waiting.splice(0, now)
    for (const response of sent) send(response)
    this.#left = now - sent.length
    if (this.#waiting.length > 0 || sent.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

function send(response: ServerResponse): void {
  if (response.destroyed) return
  response.writeHead(status, HEADERS)
  response.end(body)
}
