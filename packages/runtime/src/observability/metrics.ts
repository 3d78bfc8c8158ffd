import { Counter, Gauge, Histogram, Registry, Summary } from 'prom-client';

export type MetricLabels<L extends string> = Readonly<Record<L, string>>;

/** `name` is whole, with its prefix: `karpenter_nodeclaims_created_total`. Durations are in seconds. */
export type MetricOptions<L extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly L[];
};

export type CounterMetric<L extends string> = { add(labels: MetricLabels<L>, by?: number): void };
export type GaugeMetric<L extends string> = {
  set(labels: MetricLabels<L>, value: number): void;
  /** Takes the series of exactly these labels away. */
  remove(labels: MetricLabels<L>): void;
  /** Takes all series away. */
  reset(): void;
};
export type ObservedMetric<L extends string> = { observe(labels: MetricLabels<L>, value: number): void };

/** Where a process counts. Asking for a name again gives the metric that exists; it has to be of the same kind. */
export interface Metrics {
  counter<L extends string = never>(options: MetricOptions<L>): CounterMetric<L>;
  gauge<L extends string = never>(options: MetricOptions<L>): GaugeMetric<L>;
  histogram<L extends string = never>(
    options: MetricOptions<L> & { readonly buckets: readonly number[] },
  ): ObservedMetric<L>;
  summary<L extends string = never>(
    options: MetricOptions<L> & { readonly quantiles: readonly number[] },
  ): ObservedMetric<L>;
  /**
   * Runs `refresh` whenever the text is asked for: gauges that show a state are set then, and cost nothing in between.
   * @returns takes it out again
   */
  beforeText(refresh: () => void): () => void;
  /** Everything, in the Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Counts nothing, where the counts cannot be read. */
export const silentMetrics: Metrics = {
  counter: () => ({ add: () => undefined }),
  gauge: () => ({ set: () => undefined, remove: () => undefined, reset: () => undefined }),
  histogram: () => ({ observe: () => undefined }),
  summary: () => ({ observe: () => undefined }),
  beforeText: () => () => undefined,
  text: () => Promise.resolve(''),
  contentType: 'text/plain',
};

export const createMetrics = (): Metrics => new PrometheusMetrics();

class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #refreshes = new Set<() => void>();
  readonly contentType = this.#registry.contentType;

  counter<L extends string>(options: MetricOptions<L>): CounterMetric<L> {
    const metric = this.#find(Counter<L>, options) ?? new Counter<L>(this.#configuration(options));
    return { add: (labels, by = 1) => metric.inc(labels, by) };
  }

  gauge<L extends string>(options: MetricOptions<L>): GaugeMetric<L> {
    const metric = this.#find(Gauge<L>, options) ?? new Gauge<L>(this.#configuration(options));
    return {
      set: (labels, value) => metric.set(labels, value),
      remove: (labels) => metric.remove(labels),
      reset: () => metric.reset(),
    };
  }

  histogram<L extends string>(options: MetricOptions<L> & { readonly buckets: readonly number[] }): ObservedMetric<L> {
    const configuration = { ...this.#configuration(options), buckets: [...options.buckets] };
    const metric = this.#find(Histogram<L>, options) ?? new Histogram<L>(configuration);
    return { observe: (labels, value) => metric.observe(labels, value) };
  }

  summary<L extends string>(options: MetricOptions<L> & { readonly quantiles: readonly number[] }): ObservedMetric<L> {
    const configuration = { ...this.#configuration(options), percentiles: [...options.quantiles] };
    const metric = this.#find(Summary<L>, options) ?? new Summary<L>(configuration);
    return { observe: (labels, value) => metric.observe(labels, value) };
  }

  beforeText(refresh: () => void): () => void {
    this.#refreshes.add(refresh);
    return () => void this.#refreshes.delete(refresh);
  }

  text(): Promise<string> {
    for (const refresh of this.#refreshes) refresh();
    return this.#registry.metrics();
  }

  #find<M extends object>(kind: new (...given: never[]) => M, { name }: { readonly name: string }): M | undefined {
    const metric: unknown = this.#registry.getSingleMetric(name);
    if (metric === undefined || metric instanceof kind) return metric;
    throw new Error(`the metric ${name} exists and is not a ${kind.name}`);
  }

  #configuration<L extends string>({ name, help, labels = [] }: MetricOptions<L>) {
    return { name, help, labelNames: [...labels], registers: [this.#registry] };
  }
}
