import {
  type CSINode,
  csiNodes,
  persistentVolumeClaims,
  type PersistentVolumeClaim,
  persistentVolumes,
  type Pod,
  type StorageClass,
  storageClasses,
} from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import type { ClusterWatches } from '../control-plane/watches.ts';
import { isReachable } from '../volumes/claims/claim-step.ts';
import { claimKeysOf } from '../volumes/claims-of-pods.ts';
import { driverOfClass, driverOfVolume } from '../volumes/drivers.ts';
import type { SchedulerNode } from './cluster.ts';
import { noRefusal, type SchedulerFilter } from './filters/filter.ts';
import { matchesTerm } from '../placement/node-selection.ts';

/** What the scheduler knows of volumes: where pods that use them can run, and which claims wait for its choice. */
export class SchedulerVolumes {
  readonly #watches: ClusterWatches;

  constructor(watches: ClusterWatches) {
    this.#watches = watches;
  }

  /** Something changed that may let a pod with volumes be placed. */
  onChange(handler: (helps: (pod: Pod) => boolean) => void): void {
    this.#watches.of(persistentVolumeClaims).onChange((before, after) => {
      const key = objectKeyText((after ?? before) as PersistentVolumeClaim);
      handler((pod) => claimKeysOf(pod).includes(key));
    });
    const anyClaim = (pod: Pod): boolean => claimKeysOf(pod).length > 0;
    this.#watches.of(persistentVolumes).onChange(() => handler(anyClaim));
    this.#watches.of(storageClasses).onChange(() => handler(anyClaim));
    this.#watches.of(csiNodes).onChange(() => handler(anyClaim));
  }

  /** Why no node at all can take the pod now, in kube-scheduler's words. */
  refusal(pod: Pod): string | undefined {
    for (const key of claimKeysOf(pod)) {
      const claim = this.#claim(key);
      const name = key.slice(key.indexOf('/') + 1);
      if (claim === undefined) return `persistentvolumeclaim "${name}" not found`;
      if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
      if (!isBound(claim) && !this.#waitsForChoice(claim)) return 'pod has unbound immediate PersistentVolumeClaims';
    }
    return undefined;
  }

  /** Passes nodes that can reach the pod's volumes and have room to attach them. */
  filter(pod: Pod): SchedulerFilter {
    const claims = this.#claimsOf(pod);
    if (claims.length === 0) return () => noRefusal;
    return (state) => {
      if (claims.some((claim) => !this.#isReachable(claim, state))) {
        return claims.every(isBound)
          ? ['node(s) had volume node affinity conflict']
          : ["node(s) didn't find available persistent volumes to bind"];
      }
      return this.#hasRoomFor(claims, state) ? noRefusal : ['node(s) exceed max volume count'];
    };
  }

  /** Claims of the pod that get their volume once a node is chosen. */
  unbound(pod: Pod): readonly PersistentVolumeClaim[] {
    return this.#claimsOf(pod).filter((claim) => !isBound(claim));
  }

  #claim(key: string): PersistentVolumeClaim | undefined {
    return this.#watches.of(persistentVolumeClaims).get(key);
  }

  #claimsOf(pod: Pod): readonly PersistentVolumeClaim[] {
    return claimKeysOf(pod).flatMap((key) => this.#claim(key) ?? []);
  }

  #classOf(claim: PersistentVolumeClaim): StorageClass | undefined {
    return this.#watches.of(storageClasses).get(claim.spec?.storageClassName ?? '');
  }

  #waitsForChoice(claim: PersistentVolumeClaim): boolean {
    return this.#classOf(claim)?.volumeBindingMode === 'WaitForFirstConsumer';
  }

  #isReachable(claim: PersistentVolumeClaim, { node }: SchedulerNode): boolean {
    if (isBound(claim)) {
      const volume = this.#watches.of(persistentVolumes).get(claim.spec?.volumeName ?? '');
      return volume !== undefined && isReachable(volume, node);
    }
    const topologies = this.#classOf(claim)?.allowedTopologies ?? [];
    if (topologies.length === 0) return true;
    return topologies.some(({ matchLabelExpressions = [] }) => {
      const matchExpressions = matchLabelExpressions.map(({ key, values }) => ({
        key,
        operator: 'In' as const,
        values,
      }));
      return matchesTerm(node, { matchExpressions });
    });
  }

  /** Counts what is attached, or will be, once each: pods may share a volume. */
  #hasRoomFor(claims: readonly PersistentVolumeClaim[], state: SchedulerNode): boolean {
    const limits = limitsOf(this.#watches.of(csiNodes).get(state.node.metadata.name));
    if (limits.size === 0) return true;
    const attached = new Map<string, string>();
    const others = [...state.pods.values()].flatMap(({ pod }) => this.#claimsOf(pod));
    for (const claim of [...others, ...claims]) {
      const driver = this.#driverOf(claim);
      if (driver !== undefined) attached.set(objectKeyText(claim), driver);
    }
    const added = new Set(claims.flatMap((claim) => this.#driverOf(claim) ?? []));
    return [...added].every((driver) => {
      const count = [...attached.values()].filter((each) => each === driver).length;
      return count <= (limits.get(driver) ?? Infinity);
    });
  }

  #driverOf(claim: PersistentVolumeClaim): string | undefined {
    const volume = this.#watches.of(persistentVolumes).get(claim.spec?.volumeName ?? '');
    if (volume !== undefined) return driverOfVolume(volume);
    const storageClass = this.#classOf(claim);
    return storageClass === undefined ? undefined : driverOfClass(storageClass);
  }
}

/** A claim is bound once its status says so: its volume may name another before. */
const isBound = ({ status }: PersistentVolumeClaim): boolean => status?.phase === 'Bound';

const limitsOf = (csiNode: CSINode | undefined): ReadonlyMap<string, number> =>
  new Map(
    (csiNode?.spec?.drivers ?? []).flatMap(({ name, allocatable }) =>
      allocatable?.count === undefined ? [] : [[name, allocatable.count] as const],
    ),
  );
