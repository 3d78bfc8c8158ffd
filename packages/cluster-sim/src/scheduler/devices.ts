import {
  deviceClasses,
  type DeviceAllocation,
  type Node,
  type Pod,
  type ResourceClaim,
  resourceClaims,
  resourceSlices,
} from '@nodewright/apis';
import { type KubernetesClient, objectKeyText } from '@nodewright/runtime';
import type { ClusterWatches } from '../control-plane/watches.ts';
import { allocateDevices, type DeviceInventory, keyOfDevice } from '../devices/allocate-devices.ts';
import type { SelectDevice } from '../placement/select-device.ts';
import { nameOfDeviceClaim, usesClaimsOfDevices } from '../devices/claims-of-pod.ts';
import { claimFinalizer } from '../devices/device-claims.ts';
import { keyOfMeta } from '../objects/object-key.ts';
import { matchesTerm } from '../placement/node-selection.ts';
import { noRefusal, type SchedulerFilter } from './filters/filter.ts';

/** What the scheduler knows of claims of devices. Its watches begin with the first pod that has one. */
export class SchedulerDevices {
  readonly #watches: ClusterWatches;
  readonly #client: KubernetesClient;
  readonly #select: SelectDevice;
  readonly #onChange: () => void;
  /** Allocations that the watch does not show yet, by the key of the claim. */
  readonly #assumed = new Map<string, DeviceAllocation>();
  #isWatching = false;

  constructor(
    watches: ClusterWatches,
    client: KubernetesClient,
    { select, onChange }: { readonly select: SelectDevice; readonly onChange: () => void },
  ) {
    this.#watches = watches;
    this.#client = client;
    this.#select = select;
    this.#onChange = onChange;
  }

  /** Resolves when all that the claims of a pod need is known. */
  async prepare(pod: Pod): Promise<void> {
    if (!usesClaimsOfDevices(pod)) return;
    if (!this.#isWatching) this.#watch();
    await this.#watches.whenSynced();
  }

  /** Why no node at all can take the pod now, in kube-scheduler's words. */
  refusal(pod: Pod): string | undefined {
    for (const each of pod.spec.resourceClaims ?? []) {
      const name = nameOfDeviceClaim(pod, each);
      if (name === undefined) return `pod ${JSON.stringify(objectKeyText(pod))}: ResourceClaim not created yet`;
      if (name === '') continue;
      const claim = this.#watches.of(resourceClaims).get(`${pod.metadata.namespace}/${name}`);
      if (claim === undefined) return `resourceclaim.resource.k8s.io ${JSON.stringify(name)} not found`;
      if (claim.metadata.deletionTimestamp !== undefined)
        return `resourceclaim ${JSON.stringify(name)} is being deleted`;
      const absent = this.#absentClass(claim);
      if (absent !== undefined) return absent;
    }
    return undefined;
  }

  /** Passes nodes that have the devices of the pod's claims. */
  filter(pod: Pod): SchedulerFilter {
    const claims = this.#claimsOf(pod);
    if (claims.length === 0) return () => noRefusal;
    return ({ node }) => {
      if (!claims.every((claim) => this.#isUsableOn(claim, node))) return ['resourceclaim not available on the node'];
      return this.#allocate(claims, node) === undefined ? ['cannot allocate all claims'] : noRefusal;
    };
  }

  /** Writes which devices the pod gets on its node, and that it uses its claims. */
  async reserve(pod: Pod, node: Node | undefined): Promise<void> {
    const claims = this.#claimsOf(pod);
    if (claims.length === 0 || node === undefined) return;
    const allocated = this.#allocate(claims, node);
    if (allocated === undefined) throw new Error('the devices are gone');
    for (const [index, claim] of claims.entries()) {
      const allocation = this.#allocationOf(claim) ?? allocated[index];
      if (allocation === undefined) continue;
      this.#assumed.set(objectKeyText(claim), allocation);
      await this.#write(claim, pod, allocation);
    }
  }

  async #write(claim: ResourceClaim, pod: Pod, allocation: DeviceAllocation): Promise<void> {
    const key = keyOfMeta(claim.metadata);
    const { finalizers = [] } = claim.metadata;
    if (!finalizers.includes(claimFinalizer)) {
      const patch = { metadata: { finalizers: [...finalizers, claimFinalizer] } };
      await this.#client.patch(resourceClaims, key, { type: 'merge', patch });
    }
    const user = { resource: 'pods', name: pod.metadata.name, uid: pod.metadata.uid ?? '' };
    const reservedFor = [...(claim.status?.reservedFor ?? []).filter(({ uid }) => uid !== user.uid), user];
    const patch = { status: { allocation, reservedFor } };
    await this.#client.patch(resourceClaims, key, { type: 'merge', patch }, { subresource: 'status' });
  }

  #watch(): void {
    this.#isWatching = true;
    this.#watches.of(resourceClaims).onChange((before, after) => {
      const key = objectKeyText((after ?? before) as ResourceClaim);
      if (after?.status?.allocation !== undefined || after === undefined) this.#assumed.delete(key);
      this.#onChange();
    });
    this.#watches.of(resourceSlices).onChange(this.#onChange);
    this.#watches.of(deviceClasses).onChange(this.#onChange);
  }

  #claimsOf(pod: Pod): readonly ResourceClaim[] {
    return (pod.spec.resourceClaims ?? []).flatMap((each) => {
      const name = nameOfDeviceClaim(pod, each) ?? '';
      return this.#watches.of(resourceClaims).get(`${pod.metadata.namespace}/${name}`) ?? [];
    });
  }

  #absentClass({ spec: { devices } }: ResourceClaim): string | undefined {
    for (const { name, exactly, firstAvailable = [] } of devices?.requests ?? []) {
      for (const { deviceClassName } of exactly === undefined ? firstAvailable : [exactly]) {
        if (this.#watches.of(deviceClasses).get(deviceClassName) === undefined)
          return `request ${name}: device class ${deviceClassName} does not exist`;
      }
    }
    return undefined;
  }

  #allocationOf(claim: ResourceClaim): DeviceAllocation | undefined {
    return claim.status?.allocation ?? this.#assumed.get(objectKeyText(claim));
  }

  #isUsableOn(claim: ResourceClaim, node: Node): boolean {
    const { nodeSelector } = this.#allocationOf(claim) ?? {};
    return nodeSelector === undefined || nodeSelector.nodeSelectorTerms.some((term) => matchesTerm(node, term));
  }

  /** The allocation of each claim on a node; undefined when the node lacks devices. */
  #allocate(claims: readonly ResourceClaim[], node: Node): readonly DeviceAllocation[] | undefined {
    const missing = claims.filter((claim) => this.#allocationOf(claim) === undefined);
    const found = allocateDevices(
      missing.map(({ spec }) => spec),
      node,
      this.#taken(),
      this.#inventory(),
    );
    if (found === undefined) return undefined;
    return claims.map((claim) => {
      const results = found[missing.indexOf(claim)];
      return this.#allocationOf(claim) ?? { devices: { results: results ?? [] }, nodeSelector: selectorOfNode(node) };
    });
  }

  #taken(): ReadonlySet<string> {
    const allocations = this.#watches
      .of(resourceClaims)
      .all()
      .map((claim) => this.#allocationOf(claim));
    return new Set(allocations.flatMap((allocation) => (allocation?.devices?.results ?? []).map(keyOfDevice)));
  }

  #inventory(): DeviceInventory {
    return {
      slices: this.#watches.of(resourceSlices).all(),
      classOf: (name) => this.#watches.of(deviceClasses).get(name),
      select: this.#select,
    };
  }
}

const selectorOfNode = ({ metadata: { name } }: Node): NonNullable<DeviceAllocation['nodeSelector']> => ({
  nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
});
