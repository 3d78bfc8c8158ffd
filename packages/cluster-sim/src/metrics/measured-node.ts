import { fromTimestamp, type Instant, type Node, type Pod } from '@nodewright/apis';
import { type SimulatedUse, simulatedNodeUse, simulatedPodUse } from './simulated-use.ts';

/** A node with its pods at an instant. */
export type ObservedNode = { readonly node: Node; readonly pods: readonly Pod[]; readonly now: Instant };

/** Use is counted in billionths of a core and of a byte. */
const perUnit = 1_000_000_000n;

export type MeasuredContainer = {
  readonly pod: Pod;
  readonly name: string;
  readonly use: SimulatedUse;
  readonly ranSeconds: number;
};

/** The containers that run, with what they use and since when their pod runs. */
export const listMeasuredContainers = ({ pods, now }: ObservedNode): readonly MeasuredContainer[] =>
  pods.flatMap((pod) =>
    [...(simulatedPodUse(pod) ?? [])].map(([name, use]) => ({
      pod,
      name,
      use,
      ranSeconds: secondsSince(pod.status?.startTime ?? undefined, now),
    })),
  );

const secondsSince = (time: string | undefined, now: Instant): number =>
  time === undefined ? 0 : Math.max(0, (now - fromTimestamp(time)) / 1000);

/** The processor time at a constant use, in seconds. */
export const countCpuSeconds = (use: SimulatedUse, ranSeconds: number): number =>
  (Number(use.cpu) / Number(perUnit)) * ranSeconds;

export const workingSetBytes = (use: SimulatedUse): number => Number(use.memory / perUnit);

export const readNodeUse = ({ node, pods }: ObservedNode): SimulatedUse =>
  simulatedNodeUse(node, pods) ?? { cpu: 0n, memory: 0n };

export const nodeAgeSeconds = ({ node, now }: ObservedNode): number =>
  secondsSince(node.metadata.creationTimestamp, now);
