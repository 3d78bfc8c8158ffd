import { instant, type Instant, type KubernetesObject } from '@nodewright/apis';
import type { Happening } from './invariant.ts';
import {
  type ObservedImage,
  type ObservedInstance,
  type ObservedKinds,
  observedKeyOf,
  type ObservedWorld,
} from './observed-world.ts';

/** The cloud as it is, not as it describes itself. */
export type ObservedCloud = Pick<
  ObservedWorld,
  'kubernetesVersion' | 'instances' | 'instance' | 'image' | 'isReclaimed' | 'isTakenBack'
>;

/** A write as the API server tells it. */
export type ObjectWritten = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly collection: string;
  readonly object: KubernetesObject;
  readonly operator: string | undefined;
};

type DatedVersion = { readonly from: Instant; readonly object: KubernetesObject | undefined };

/** Versions are remembered for so long, in milliseconds. */
const versionsKeptMs = 1_200_000;

const observedCollections: ReadonlySet<string> = new Set<keyof ObservedKinds>([
  'nodes',
  'pods',
  'nodeclaims.karpenter.sh',
  'nodepools.karpenter.sh',
  'ec2nodeclasses.karpenter.k8s.aws',
  'poddisruptionbudgets.policy',
  'imagerules.nodewright.dev',
  'leases.coordination.k8s.io',
  'noderollouts.nodewright.dev',
  'noderolloutpolicies.nodewright.dev',
  'disruptionpauses.nodewright.dev',
  'configmaps',
]);

/** Follows a world from write to write. */
export class WorldObserver implements ObservedWorld {
  readonly #clock: { now(): Instant };
  readonly #cloud: ObservedCloud;
  readonly #objects = new Map<string, Map<string, KubernetesObject>>();
  readonly #versions = new Map<string, DatedVersion[]>();
  readonly #launches = new Map<string, Set<string>>();

  constructor(clock: { now(): Instant }, cloud: ObservedCloud) {
    this.#clock = clock;
    this.#cloud = cloud;
  }

  get kubernetesVersion(): string {
    return this.#cloud.kubernetesVersion;
  }

  get now(): Instant {
    return this.#clock.now();
  }

  /** @returns what has happened; `undefined` for a kind that no invariant reads */
  seeWrite({ type, collection, object, operator }: ObjectWritten): Happening | undefined {
    if (!observedCollections.has(collection)) return undefined;
    const objects = this.#collection(collection);
    const key = observedKeyOf(object);
    const before = objects.get(key);
    const after = type === 'DELETED' ? undefined : object;
    if (after === undefined) objects.delete(key);
    else objects.set(key, after);
    this.#remember(`${collection} ${key}`, after, before);
    return { kind: 'written', collection, before, after, revision: Number(object.metadata.resourceVersion), operator };
  }

  /** @returns a happening for each instance that is new to the claim */
  seeLaunch(
    claim: string,
    launched: readonly { readonly id: string; readonly imageId: string }[],
  ): readonly Happening[] {
    const known = this.#launches.get(claim) ?? new Set<string>();
    this.#launches.set(claim, known);
    const fresh = launched.filter(({ id }) => !known.has(id));
    for (const { id } of fresh) known.add(id);
    return fresh.map(({ id, imageId }) => ({ kind: 'launched', claim, instanceId: id, imageId }));
  }

  list<Name extends keyof ObservedKinds>(collection: Name): readonly ObservedKinds[Name][] {
    return [...this.#collection(collection).values()] as unknown as readonly ObservedKinds[Name][];
  }

  find<Name extends keyof ObservedKinds>(collection: Name, key: string): ObservedKinds[Name] | undefined {
    return this.#collection(collection).get(key) as ObservedKinds[Name] | undefined;
  }

  lately<Name extends keyof ObservedKinds>(
    collection: Name,
    key: string,
    ms: number,
  ): readonly (ObservedKinds[Name] | undefined)[] {
    const versions = this.#versions.get(`${collection} ${key}`) ?? [];
    const since = this.now - ms;
    const first = versions.findLastIndex(({ from }) => from <= since);
    const known = versions.slice(Math.max(0, first)).map(({ object }) => object as ObservedKinds[Name] | undefined);
    return first === -1 ? [undefined, ...known] : known;
  }

  removedLately<Name extends keyof ObservedKinds>(collection: Name, ms: number): readonly ObservedKinds[Name][] {
    const since = this.now - ms;
    return [...this.#versions].flatMap(([key, versions]) => {
      const last = versions.at(-1);
      if (last === undefined || last.object !== undefined || last.from < since) return [];
      if (!key.startsWith(`${collection} `)) return [];
      return (versions.at(-2)?.object as ObservedKinds[Name] | undefined) ?? [];
    });
  }

  /** How many instances were launched for claims so far. */
  get launchCount(): number {
    return [...this.#launches.values()].reduce((sum, { size }) => sum + size, 0);
  }

  launchesFor(claim: string): readonly string[] {
    return [...(this.#launches.get(claim) ?? [])];
  }

  instances(): readonly ObservedInstance[] {
    return this.#cloud.instances();
  }

  instance(id: string): ObservedInstance | undefined {
    return this.#cloud.instance(id);
  }

  image(id: string): ObservedImage | undefined {
    return this.#cloud.image(id);
  }

  isReclaimed(instanceId: string): boolean {
    return this.#cloud.isReclaimed(instanceId);
  }

  isTakenBack(instanceId: string): boolean {
    return this.#cloud.isTakenBack(instanceId);
  }

  #collection(name: string): Map<string, KubernetesObject> {
    const known = this.#objects.get(name);
    if (known !== undefined) return known;
    const fresh = new Map<string, KubernetesObject>();
    this.#objects.set(name, fresh);
    return fresh;
  }

  #remember(key: string, object: KubernetesObject | undefined, before: KubernetesObject | undefined): void {
    const versions = this.#versions.get(key) ?? (before === undefined ? [] : [{ from: instant(0), object: before }]);
    versions.push({ from: this.now, object });
    const since = this.now - versionsKeptMs;
    const firstNeeded = versions.findLastIndex(({ from }) => from <= since);
    if (firstNeeded > 0) versions.splice(0, firstNeeded);
    this.#versions.set(key, versions);
    if (object === undefined) this.#forgetRemoved(since);
  }

  /** Objects that were removed long ago. */
  #forgetRemoved(since: number): void {
    for (const [key, versions] of this.#versions) {
      const last = versions.at(-1);
      if (last?.object === undefined && (last?.from ?? 0) < since) this.#versions.delete(key);
    }
  }
}
