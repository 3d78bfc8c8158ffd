import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';

export type SpanFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** One piece of work: from when until when, in which trace, and what is known of it. */
export type Span = {
  /** 32 hexadecimal digits: the id of the turn without its hyphens. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 'turn' | 'request';
  readonly startMs: number;
  readonly endMs: number;
  readonly fields: SpanFields;
  /** Why it failed. */
  readonly error?: string;
};

export type TracedWork = { readonly name: string; readonly fields: SpanFields };

/** Adds to what is known of a piece of work, while it goes on. */
export type AddFields = (fields: SpanFields) => void;

/**
 * Knows for which turn of a controller a request is made.
 *
 * Guarantees: a request belongs to the turn that runs it, also after pauses and in work that the turn does not wait for.
 * Requests of several turns that are sent as one belong to the first of them. Work passes its result and its errors on.
 */
export interface Tracer {
  /** @param id the UUID of the turn, which its lines in the log have as `reconcileID` */
  runTurn<T>(id: string, turn: TracedWork, work: () => Promise<T>): Promise<T>;
  /** Outside of turns, such as for watches, the work runs as it is. */
  runRequest<T>(request: TracedWork, work: (add: AddFields) => Promise<T>): Promise<T>;
  /** The id of the turn that is running here. */
  currentTurn(): string | undefined;
}

export type TracerOptions = {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  /** Gets the spans of each turn that made requests or failed, when the turn has ended [nothing is kept]. */
  readonly export?: (spans: readonly Span[]) => void;
};

type RunningTurn = { readonly id: string; readonly spanId: string; readonly spans: Span[] };

/** A tracer that follows turns through promises. That costs every promise of the process a little. */
export function createTracer({ clock, random, export: exportSpans }: TracerOptions): Tracer {
  const turns = new AsyncLocalStorage<RunningTurn>();
  const measure = async <T>(
    span: Omit<Span, 'startMs' | 'endMs' | 'fields' | 'error'> & TracedWork,
    work: (add: AddFields) => Promise<T>,
    ended: (span: Span) => void,
  ): Promise<T> => {
    const startMs = clock.now();
    let fields = span.fields;
    const end = (error?: string): void =>
      ended({ ...span, startMs, endMs: clock.now(), fields, ...(error === undefined ? {} : { error }) });
    try {
      const result = await work((more) => void (fields = { ...fields, ...more }));
      end();
      return result;
    } catch (error) {
      end(error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
  return {
    currentTurn: () => turns.getStore()?.id,
    runTurn: (id, { name, fields }, work) => {
      const turn: RunningTurn = { id, spanId: random.hex(16), spans: [] };
      const span = { traceId: traceIdOf(id), spanId: turn.spanId, name, kind: 'turn', fields } as const;
      const ended = (whole: Span): void => {
        if (turn.spans.length > 0 || whole.error !== undefined) exportSpans?.([whole, ...turn.spans]);
      };
      return turns.run(turn, () => measure(span, work, ended));
    },
    runRequest: (request, work) => {
      const turn = turns.getStore();
      if (turn === undefined || exportSpans === undefined) return work(() => undefined);
      const ids = { traceId: traceIdOf(turn.id), spanId: random.hex(16), parentSpanId: turn.spanId };
      return measure({ ...ids, ...request, kind: 'request' }, work, (span) => void turn.spans.push(span));
    },
  };
}

const traceIdOf = (turn: string): string => turn.replaceAll('-', '');
