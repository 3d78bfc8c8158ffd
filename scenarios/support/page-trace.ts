/** An event of a trace of Chromium, as far as it is read here. */
export type TraceEvent = {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
};

/** What a trace has to hold for the tasks of a page. */
export const traceCategories = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

/**
 * How long each task of the thread that runs the page took, in milliseconds of processor time: other programs do not count,
 * as they do in the length of frames. Of several pages in a browser, the busiest one is meant.
 */
export function listTaskTimes(events: readonly TraceEvent[]): readonly number[] {
  const threads = events
    .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
    .map(({ pid, tid }) =>
      events.filter(
        (event) => event.name === 'RunTask' && event.pid === pid && event.tid === tid && event.tdur !== undefined,
      ),
    )
    .map((tasks) => tasks.map(({ tdur = 0 }) => tdur / 1000));
  const sumOf = (times: readonly number[]): number => times.reduce((sum, each) => sum + each, 0);
  return threads.reduce((busiest, times) => (sumOf(times) > sumOf(busiest) ? times : busiest), []);
}
