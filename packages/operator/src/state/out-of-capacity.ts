import {
  nodewrightAnnotations,
  oncePerObject,
  outOfCapacityOn,
  outOfCapacityText,
  type EC2NodeClass,
  type Instant,
  type OutOfCapacity,
} from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';

/** What the cloud is out of among these types, whatever is kept back for other reasons. */
export const outOfCapacityIn: (types: readonly InstanceType[]) => readonly OutOfCapacity[] = oncePerObject((types) =>
  types.flatMap(shortOfType),
);

const shortOfType = ({ name, offerings }: InstanceType): readonly OutOfCapacity[] =>
  offerings.flatMap(({ zone, capacityType, shortage }) =>
    shortage?.until === undefined ? [] : [{ instanceType: name, zone, capacityType, until: shortage.until }],
  );

/** The class with what the cloud is out of written on it: another controller, or `nodewright explain`, then knows it too. */
export function withOutOfCapacity(nodeClass: EC2NodeClass, all: readonly OutOfCapacity[], now: Instant): EC2NodeClass {
  const text = outOfCapacityText(all.filter(({ until }) => until > now));
  const { [nodewrightAnnotations.outOfCapacity]: before, ...others } = nodeClass.metadata.annotations ?? {};
  if (text === before) return nodeClass;
  const annotations = text === undefined ? others : { ...others, [nodewrightAnnotations.outOfCapacity]: text };
  return { ...nodeClass, metadata: { ...nodeClass.metadata, annotations } };
}

/** The class with more written on it; the same object where all of it is there and not over. */
export function withMoreOutOfCapacity(
  nodeClass: EC2NodeClass,
  found: readonly OutOfCapacity[],
  now: Instant,
): EC2NodeClass {
  const before = outOfCapacityOn(nodeClass).filter(({ until }) => until > now);
  const more = found.filter((each) => !before.some((known) => isSameOffering(known, each)));
  return more.length === 0 ? nodeClass : withOutOfCapacity(nodeClass, [...before, ...more], now);
}

const isSameOffering = (a: OutOfCapacity, b: OutOfCapacity): boolean =>
  a.instanceType === b.instanceType && a.zone === b.zone && a.capacityType === b.capacityType;

/** The class without what is over by now. */
export const withoutOver = (nodeClass: EC2NodeClass, now: Instant): EC2NodeClass =>
  withOutOfCapacity(nodeClass, outOfCapacityOn(nodeClass), now);
