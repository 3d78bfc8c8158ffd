import { parseQuantity, type Pod, readOwn } from '@nodewright/apis';
import { type MeasuredResource, simulatedPodUse, useAnnotations } from '../../metrics/simulated-use.ts';
import type { AutoscalerMetric, ResourceMetric } from './autoscaler.ts';

/** What one metric says: its value as the status shows it, and the replicas that it asks for. */
export type MetricReading =
  | { readonly kind: 'read'; readonly current: object; readonly replicas: number }
  | { readonly kind: 'unknown'; readonly because: string };

/** A load this near to its target changes nothing. */
const tolerance = 0.1;

/**
 * The replicas that a metric asks for: as many as bring the average use of the ready pods to its target.
 * @param running the ready pods
 */
export function readMetric(metric: AutoscalerMetric, running: readonly Pod[], replicas: number): MetricReading {
  const source = metric.resource ?? metric.containerResource;
  if (source === undefined) return unknownMetric(`metrics of type ${metric.type} are not measured here`);
  if (!isMeasured(source.name)) return unknownMetric(`${source.name} is not measured`);
  const uses = running.flatMap((pod) => usesOf(pod, source));
  if (uses.length === 0) return unknownMetric('no ready pod is measured');
  const used = sumOfNanos(uses.map(({ used: each }) => each));
  const average = used / BigInt(uses.length);
  const { averageUtilization, averageValue } = source.target;
  if (averageUtilization === undefined) {
    if (averageValue === undefined) return unknownMetric('the target names neither a utilization nor an average value');
    const ratio = Number(average) / Number(parseQuantity(averageValue).nanos);
    return metricReading(
      metric,
      source,
      { averageValue: printNanos(source.name, average) },
      wantedReplicas(ratio, uses.length, replicas),
    );
  }
  const requested = sumOfNanos(uses.map(({ requested: each }) => each));
  if (uses.some((each) => each.requested === 0n)) return unknownMetric(`missing request for ${source.name}`);
  const utilization = Math.trunc((Number(used) * 100) / Number(requested));
  const current = { averageUtilization: utilization, averageValue: printNanos(source.name, average) };
  return metricReading(
    metric,
    source,
    current,
    wantedReplicas(utilization / averageUtilization, uses.length, replicas),
  );
}

const unknownMetric = (because: string): MetricReading => ({ kind: 'unknown', because });

const isMeasured = (name: string): name is MeasuredResource => Object.keys(useAnnotations).includes(name);

function metricReading(
  metric: AutoscalerMetric,
  source: ResourceMetric,
  current: object,
  replicas: number,
): MetricReading {
  const { name, container } = source;
  const shown = { name, ...(container !== undefined && { container }), current };
  const member = metric.resource === undefined ? 'containerResource' : 'resource';
  return { kind: 'read', replicas, current: { type: metric.type, [member]: shown } };
}

const wantedReplicas = (ratio: number, measured: number, replicas: number): number =>
  Math.abs(ratio - 1) <= tolerance ? replicas : Math.ceil(ratio * measured);

type ContainerAmounts = { readonly used: bigint; readonly requested: bigint };

function usesOf(pod: Pod, { name, container }: ResourceMetric): readonly ContainerAmounts[] {
  const measured = simulatedPodUse(pod);
  if (measured === undefined || !isMeasured(name)) return [];
  const counted = pod.spec.containers.filter((each) => container === undefined || each.name === container);
  return [
    {
      used: sumOfNanos(counted.map((each) => measured.get(each.name)?.[name] ?? 0n)),
      requested: sumOfNanos(
        counted.map(({ resources }) => parseQuantity(readOwn(resources?.requests, name) ?? '0').nanos),
      ),
    },
  ];
}

const sumOfNanos = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

const printNanos = (name: string, nanos: bigint): string =>
  name === 'cpu' ? `${nanos / 1_000_000n}m` : String(nanos / 1_000_000_000n);
