import type { Metrics } from '@nodewright/runtime';

/** The series of the metrics whose names begin so, as lines of the text format; without comments, buckets and quantiles. */
export async function printSeries(metrics: Metrics, ...beginnings: readonly string[]): Promise<readonly string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines.filter(
    (line) => beginnings.some((beginning) => line.startsWith(beginning)) && !/_bucket\{|quantile="/.test(line),
  );
}
