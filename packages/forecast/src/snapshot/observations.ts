import {
  conditionOf,
  fromTimestamp,
  kubernetesLabels,
  type NodeClaim,
  type OutOfCapacity,
  type Pod,
  byNumber,
  byTextOf,
  byNumberOf,
  inOrder,
} from '@nodewright/apis';

/** How long something took, in seconds, and how often it was seen. */
export type ObservedSeconds = {
  readonly of: string;
  readonly count: number;
  readonly least: number;
  readonly median: number;
  readonly most: number;
};

/** How long the nodes of one kind of image and of instance took. */
export type ObservedBoots = {
  /** As in aliases: `al2023`; absent for images of one's own. */
  readonly imageFamily?: string;
  /** With its generation: `m5`. */
  readonly instanceFamily: string;
  /** Seconds from launch to registered and to initialized, in order. */
  readonly seconds: readonly (readonly [registered: number, initialized: number])[];
};

/** What the cluster has shown of its own pace. */
export type Observations = {
  /** From launch to registered, by instance family with its generation: `m5`. */
  readonly secondsToRegistered: readonly ObservedSeconds[];
  /** From launch to initialized. */
  readonly secondsToInitialized: readonly ObservedSeconds[];
  /** Each boot by itself, for forecasts; files of before do not have them. */
  readonly boots?: readonly ObservedBoots[];
  /** From bound to Ready, by workload: `default/ReplicaSet/web-6d4b75cb6d`. */
  readonly secondsToReady: readonly ObservedSeconds[];
  /** What EC2 was out of when launches were refused. */
  readonly refusedLaunches: readonly OutOfCapacity[];
};

export const observeBootTimes = (claims: readonly NodeClaim[], to: 'Registered' | 'Initialized') =>
  summarize(
    claims.flatMap((claim) => {
      const family = instanceFamilyOfClaim(claim);
      const took = secondsFromLaunch(claim, to);
      return family === undefined || took === undefined ? [] : [[family, took] as const];
    }),
  );

/** @param imageFamilyOf as an alias has it, of the id of an image */
export function observeBoots(
  claims: readonly NodeClaim[],
  imageFamilyOf: (imageId: string) => string | undefined,
): readonly ObservedBoots[] {
  const found = new Map<string, Omit<ObservedBoots, 'seconds'> & { seconds: [number, number][] }>();
  for (const claim of claims) {
    const instanceFamily = instanceFamilyOfClaim(claim);
    const registered = secondsFromLaunch(claim, 'Registered');
    const initialized = secondsFromLaunch(claim, 'Initialized');
    if (instanceFamily === undefined || registered === undefined || initialized === undefined) continue;
    const imageFamily = imageFamilyOf(claim.status?.imageID ?? '');
    const key = `${imageFamily ?? ''} ${instanceFamily}`;
    const same = found.get(key) ?? {
      ...(imageFamily === undefined ? {} : { imageFamily }),
      instanceFamily,
      seconds: [],
    };
    same.seconds.push([registered, initialized]);
    found.set(key, same);
  }
  return [...found].toSorted(byTextOf(([name]) => name)).map(([, { seconds, ...kind }]) => ({
    ...kind,
    seconds: seconds.toSorted(
      inOrder(
        byNumberOf(([registered]) => registered),
        byNumberOf(([, initialized]) => initialized),
      ),
    ),
  }));
}

const instanceFamilyOfClaim = ({ metadata }: NodeClaim): string | undefined =>
  metadata.labels?.[kubernetesLabels.instanceType]?.split('.', 1).join('');

const secondsFromLaunch = (claim: NodeClaim, to: 'Registered' | 'Initialized'): number | undefined =>
  secondsBetween(conditionOf(claim, 'Launched'), conditionOf(claim, to));

export const observeReadiness = (pods: readonly Pod[]): readonly ObservedSeconds[] =>
  summarize(
    pods.flatMap((pod) => {
      const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
      const [bound, ready] = ['PodScheduled', 'Ready'].map((type) =>
        pod.status?.conditions?.find((condition) => condition.type === type),
      );
      const took = secondsBetween(bound, ready);
      if (owner === undefined || took === undefined) return [];
      return [[`${pod.metadata.namespace ?? ''}/${owner.kind}/${owner.name}`, took] as const];
    }),
  );

type Transition = { readonly status: string; readonly lastTransitionTime?: string };

function secondsBetween(begin: Transition | undefined, end: Transition | undefined): number | undefined {
  if (begin?.status !== 'True' || end?.status !== 'True') return undefined;
  if (begin.lastTransitionTime === undefined || end.lastTransitionTime === undefined) return undefined;
  const took = Math.round((fromTimestamp(end.lastTransitionTime) - fromTimestamp(begin.lastTransitionTime)) / 1000);
  return took < 0 ? undefined : took;
}

function summarize(seen: readonly (readonly [string, number])[]): readonly ObservedSeconds[] {
  const bySubject = new Map<string, number[]>();
  for (const [of, took] of seen) bySubject.set(of, [...(bySubject.get(of) ?? []), took]);
  return [...bySubject].toSorted(byTextOf(([name]) => name)).map(([of, all]) => {
    const sorted = all.toSorted(byNumber);
    const at = (index: number): number => sorted[index] ?? 0;
    return {
      of,
      count: sorted.length,
      least: at(0),
      median: at(Math.floor((sorted.length - 1) / 2)),
      most: at(sorted.length - 1),
    };
  });
}
