import type { PersistentVolumeClaim, Pod } from '@nodewright/apis';
import { claimNamesOf, claimNamespaceOf, type VolumeFacts } from './volume-facts.ts';

/** A volume that takes one of the places that a node has for its CSI driver. */
export type AttachedVolume = {
  readonly driver: string;
  /** `namespace/name` of its claim: pods that share it share the place. */
  readonly claim: string;
};

const migratedEbsDriver = 'ebs.csi.aws.com';

/** Plugins that were part of Kubernetes once, and the drivers that do their work now. */
const migratedDrivers: ReadonlyMap<string, string> = new Map([['kubernetes.io/aws-ebs', migratedEbsDriver]]);

/** What a pod would have attached to its node; claims that cannot be read take no place. */
export const attachedVolumes = (pod: Pod, facts: VolumeFacts): readonly AttachedVolume[] =>
  claimNamesOf(pod).flatMap((name) => {
    const claim = facts.claim(claimNamespaceOf(pod), name);
    const driver = claim === undefined ? undefined : driverOf(claim, facts);
    return driver === undefined ? [] : [{ driver, claim: `${claimNamespaceOf(pod)}/${name}` }];
  });

function driverOf({ spec }: PersistentVolumeClaim, facts: VolumeFacts): string | undefined {
  const { volumeName = '', storageClassName = '' } = spec ?? {};
  if (volumeName !== '') {
    const volume = facts.volume(volumeName)?.spec;
    return volume?.csi?.driver ?? (volume?.awsElasticBlockStore === undefined ? undefined : migratedEbsDriver);
  }
  const provisioner = facts.storageClass(storageClassName)?.provisioner;
  return provisioner === undefined ? undefined : (migratedDrivers.get(provisioner) ?? provisioner);
}

/** All volumes of two pods on one node, each once: the first list itself when the other adds nothing. */
export function bothAttached(a: readonly AttachedVolume[], b: readonly AttachedVolume[]): readonly AttachedVolume[] {
  if (b.length === 0) return a;
  const added = b.filter(
    (volume, index) =>
      ![...a, ...b.slice(0, index)].some(({ driver, claim }) => driver === volume.driver && claim === volume.claim),
  );
  return added.length === 0 ? a : [...a, ...added];
}

/** The places of one node, and what takes them. A driver without a limit takes any number. */
export class AttachmentRoom {
  readonly #limits: ReadonlyMap<string, number>;
  readonly #attached = new Map<string, Set<string>>();

  constructor(limits: ReadonlyMap<string, number>) {
    this.#limits = limits;
  }

  has(volumes: readonly AttachedVolume[]): boolean {
    if (volumes.length === 0 || this.#limits.size === 0) return true;
    return [...this.#limits].every(([driver, limit]) => {
      const own = volumes.filter((volume) => volume.driver === driver).map(({ claim }) => claim);
      return own.length === 0 || new Set([...(this.#attached.get(driver) ?? []), ...own]).size <= limit;
    });
  }

  add(volumes: readonly AttachedVolume[]): void {
    for (const { driver, claim } of volumes) {
      this.#attached.set(driver, (this.#attached.get(driver) ?? new Set<string>()).add(claim));
    }
  }
}
