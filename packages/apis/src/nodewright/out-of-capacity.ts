import { byText } from '../values/order.ts';
import { nodewrightAnnotations } from '../karpenter/labels.ts';
import { fromTimestamp, toTimestamp, type Instant, type KubernetesObject } from '../kubernetes/meta.ts';

/** A way to buy an instance type that the cloud is out of, and when it is tried again. */
export type OutOfCapacity = {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly until: Instant;
};

/** More than this are not written down: the ones that last longest are. */
const mostRememberedShortages = 2_000;

type ShortageGroup = {
  readonly until: string;
  readonly capacityType: string;
  readonly zone: string;
  readonly instanceTypes: readonly string[];
};

/** As the annotation `nodewright.dev/out-of-capacity` of an EC2NodeClass holds it: JSON, types of one zone and time together; `undefined` for nothing. */
export function outOfCapacityText(all: readonly OutOfCapacity[]): string | undefined {
  if (all.length === 0) return undefined;
  const groups = new Map<string, ShortageGroup>();
  const whole = all.map((each) => ({ ...each, until: fromTimestamp(toTimestamp(each.until)) }));
  const once = [...new Map(whole.map((each) => [printShortage(each), each])).values()];
  for (const { instanceType, zone, capacityType, until } of once
    .toSorted(longestFirst)
    .slice(0, mostRememberedShortages)) {
    const key = `${until} ${capacityType} ${zone}`;
    const group = groups.get(key) ?? { until: toTimestamp(until), capacityType, zone, instanceTypes: [] };
    groups.set(key, { ...group, instanceTypes: [...group.instanceTypes, instanceType] });
  }
  return JSON.stringify([...groups.values()]);
}

const longestFirst = (a: OutOfCapacity, b: OutOfCapacity): number =>
  b.until - a.until || byText(printShortage(a), printShortage(b));

const printShortage = ({ capacityType, zone, instanceType }: OutOfCapacity): string =>
  `${capacityType} ${zone} ${instanceType}`;

/** What is written on an EC2NodeClass. Text that is not of this form counts as none. */
export function outOfCapacityOn({ metadata }: KubernetesObject): readonly OutOfCapacity[] {
  const text = metadata.annotations?.[nodewrightAnnotations.outOfCapacity];
  if (text === undefined) return [];
  try {
    const groups: unknown = JSON.parse(text);
    return Array.isArray(groups) ? groups.filter(isGroup).flatMap(membersOfGroup) : [];
  } catch {
    return []; // another writer changed it: shortages are found again
  }
}

const isGroup = (group: Partial<ShortageGroup> | null): group is ShortageGroup =>
  typeof group?.capacityType === 'string' &&
  typeof group.zone === 'string' &&
  typeof group.until === 'string' &&
  !Number.isNaN(Date.parse(group.until)) &&
  Array.isArray(group.instanceTypes);

const membersOfGroup = ({ until, capacityType, zone, instanceTypes }: ShortageGroup): readonly OutOfCapacity[] =>
  instanceTypes.map((instanceType) => ({ instanceType, zone, capacityType, until: fromTimestamp(until) }));
