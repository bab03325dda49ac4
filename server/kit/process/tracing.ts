import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context as SpanContext } from '@opentelemetry/api'
import type { HotPool } from '../db/db.ts'
import { VERSION } from './version.ts'

type Attributes = Record<string, string | number>

/** What a span is about. `traceparent`: the header of W3C Trace Context with which a caller names its own span. */
export type Traced = {
  name: string
  kind: 'server' | 'client'
  attributes: Attributes
  traceparent?: string | undefined
}

/** Sends spans to an OpenTelemetry collector. */
export interface Tracing {
  /** Runs the work as a span, within the span that runs at present. `failed` names what went wrong, for the span. */
  span<Out>(about: Traced, work: () => Promise<Out>, failed: (error: unknown) => string): Promise<Out>
  /** Sends what is left. */
  close(): Promise<void>
}

/**
 * Spans of `service.name` tollgate, sent to `<endpoint>/v1/traces` by OTLP over HTTP. The packages are loaded here, so a service
 * without a collector neither loads them nor pays for spans. A collector that does not answer is not waited for: spans are
 * dropped.
 */
export async function openTracing(endpoint: string): Promise<Tracing> {
  const [{ ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }, { OTLPTraceExporter }, { resourceFromAttributes }, sdk] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
    ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tollgate', 'service.version': VERSION }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('tollgate')
  const current = new AsyncLocalStorage<SpanContext>()

  const remote = (traceparent: string | undefined): SpanContext => {
    const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
    if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
    const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
    return trace.setSpanContext(ROOT_CONTEXT, parent)
  }
  return {
    async span({ name, kind, attributes, traceparent }, work, failed) {
      const parent = current.getStore() ?? remote(traceparent)
      const span = tracer.startSpan(
        name,
        { kind: kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT, attributes },
        parent,
      )
      try {
        return await current.run(trace.setSpan(parent, span), work)
      } catch (error) {
        span.setAttribute('error.type', failed(error))
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    close: () => provider.shutdown(),
  }
}

/**
 * The same pool, with a span for each statement. A statement that answers several requests is within the span of the one that
 * began its batch.
 */
export const tracedPool = (pool: HotPool, tracing: Tracing): HotPool => ({
  query: (statement, values) =>
    tracing.span(
      { name: statement.name, kind: 'client', attributes: { 'db.system.name': 'postgresql' } },
      () => pool.query(statement, values),
      (error) => (error instanceof Error ? error.name : 'unknown'),
    ),
})
