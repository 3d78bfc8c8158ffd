import { minutes } from '@nodewright/apis';
import type { InstanceType, Offering } from '@nodewright/engine';
import type { Cloud } from '@nodewright/ports';
import type { Clock, Logger, Metrics } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';
import type { GaugeSet } from './gauge-set.ts';

type InstanceTypeSources = {
  readonly metrics: Metrics;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  readonly objects: Pick<Objects, 'nodePools' | 'nodeClasses'>;
  readonly cloud: Pick<Cloud, 'instanceTypes'>;
};

const askTypesAgainMs = minutes(1);

/**
 * What the instance types of the NodePools have, and what they cost where. Types are asked for when the metrics are read, at
 * most once a minute, and no reading waits for them: it shows the types that were found after the one before.
 */
export function instanceTypeGauges(sources: InstanceTypeSources): GaugeSet {
  const gauges = createInstanceTypeGauges(sources.metrics);
  const stop = new AbortController();
  let askedAt = -Infinity;
  const ask = async (): Promise<void> => {
    const types = await listPoolTypes(sources, stop.signal);
    if (!stop.signal.aborted) gauges.show(types);
  };
  return {
    refresh() {
      const now = sources.clock.now();
      if (now < askedAt + askTypesAgainMs) return;
      askedAt = now;
      ask().catch((error: unknown) => {
        if (!stop.signal.aborted) sources.log.debug('instance types for metrics were not found', { error });
      });
    },
    clear() {
      stop.abort();
      gauges.reset();
    },
  };
}

/** The types of every EC2NodeClass that a NodePool names, each list once. */
async function listPoolTypes(
  { objects, cloud }: InstanceTypeSources,
  signal: AbortSignal,
): Promise<readonly InstanceType[]> {
  const names = new Set(objects.nodePools.list().map(({ spec }) => spec.template.spec.nodeClassRef.name));
  const classes = [...names].toSorted().flatMap((name) => objects.nodeClasses.get(name) ?? []);
  const lists = new Set(await Promise.all(classes.map((each) => cloud.instanceTypes.list(each, signal))));
  return [...lists].flat();
}

function createInstanceTypeGauges(metrics: Metrics) {
  const ofType = (name: string, help: string) =>
    metrics.gauge({ name: `karpenter_cloudprovider_instance_type_${name}`, help, labels: ['instance_type'] });
  const ofOffering = (name: string, help: string) =>
    metrics.gauge({
      name: `karpenter_cloudprovider_instance_type_offering_${name}`,
      help,
      labels: ['instance_type', 'capacity_type', 'zone'],
    });
  const cores = ofType('cpu_cores', 'Processors of an instance type');
  const bytes = ofType('memory_bytes', 'Memory of an instance type');
  const available = ofOffering('available', 'Whether a NodePool can launch an instance type so: 1 or 0');
  const price = ofOffering('price_estimate', 'What an instance type costs so, in US dollars per hour');
  const reset = (): void => {
    for (const gauge of [cores, bytes, available, price]) gauge.reset();
  };
  return {
    reset,
    show(types: readonly InstanceType[]): void {
      reset();
      for (const { name, capacity } of types) {
        cores.set({ instance_type: name }, (capacity['cpu'] ?? 0) / 1_000);
        bytes.set({ instance_type: name }, capacity['memory'] ?? 0);
      }
      for (const { labels, offerings } of groupOfferings(types)) {
        available.set(labels, offerings.some((each) => each.available) ? 1 : 0);
        const known = offerings.map((each) => each.priceMicroUsdPerHour).filter((each) => each > 0);
        if (known.length > 0) price.set(labels, Math.min(...known) / 1_000_000);
      }
    },
  };
}

type OfferingLabels = Readonly<Record<'instance_type' | 'capacity_type' | 'zone', string>>;

/** Offerings of one type, capacity type and zone: of several EC2NodeClasses, reservations or partitions. */
function groupOfferings(types: readonly InstanceType[]) {
  const groups = new Map<string, { readonly labels: OfferingLabels; readonly offerings: Offering[] }>();
  for (const { name, offerings } of types)
    for (const offering of offerings) {
      const labels = { instance_type: name, capacity_type: offering.capacityType, zone: offering.zone };
      const key = Object.values(labels).join(' ');
      const group = groups.get(key) ?? { labels, offerings: [] };
      group.offerings.push(offering);
      groups.set(key, group);
    }
  return groups.values();
}
