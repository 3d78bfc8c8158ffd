import { type KubernetesObject, byNumberOf, inReverse } from '@nodewright/apis';
import type { Snapshot } from '../../packages/forecast/src/snapshot/snapshot.ts';

/**
 * The snapshot of a cluster of one node as that of a cluster of so many: the node, its claim, its pods, its instance and
 * everything else that names them comes so often, under names of its own.
 */
export function multiplySnapshot(snapshot: Snapshot, count: number): Snapshot {
  const { kubernetes, aws } = snapshot;
  const [node] = kubernetes['nodes'] ?? [];
  const [claim] = kubernetes['nodeclaims.karpenter.sh'] ?? [];
  const [instance] = aws.instances;
  if (node === undefined || claim === undefined || instance === undefined) throw new Error('the cluster has no node');
  const pods = kubernetes['pods'] ?? [];
  const roots = [node.metadata.name, claim.metadata.name, instance.id];
  const ownNames = new Set([...roots, ...pods.map(({ metadata }) => metadata.name)]);
  const isOfNode = (value: unknown): boolean => {
    const text = JSON.stringify(value);
    return [...ownNames].some((name) => text.includes(name));
  };
  const belonging = Object.values(kubernetes)
    .flat()
    .filter((object) => belongsToNode(object) && isOfNode(object));
  const tokens = new Set([...ownNames, ...belonging.flatMap(({ metadata }) => metadata.uid ?? [])]);
  for (const ip of JSON.stringify([node, instance, pods]).match(/\b10\.\d+\.\d+\.\d+\b|\b(?:eni|vol)-[0-9a-f]+/g) ?? [])
    tokens.add(ip);
  const copies = Array.from({ length: count - 1 }, (_, index) => index + 1);
  const withCopies = <T>(all: readonly T[], isCopied: (item: T) => boolean): readonly T[] => [
    ...all,
    ...copies.flatMap((copy) => all.filter(isCopied).map((item) => renameAll(item, tokens, copy))),
  ];
  return {
    ...snapshot,
    kubernetes: Object.fromEntries(
      Object.entries(kubernetes).map(([resource, objects]) => [
        resource,
        withCopies(objects, (object) => belonging.includes(object)).map((object) => multiplyReplicas(object, count)),
      ]),
    ),
    aws: { ...aws, instances: withCopies(aws.instances, ({ id }) => id === instance.id) },
  };
}

const singleKinds: ReadonlySet<string> = new Set(['Event', 'EndpointSlice', 'Endpoints', 'ReplicaSet', 'Deployment']);

const belongsToNode = ({ kind = '' }: KubernetesObject): boolean => !singleKinds.has(kind);

/** Workloads keep all pods that they have now. */
function multiplyReplicas(object: KubernetesObject, count: number): KubernetesObject {
  if (object.kind !== 'Deployment' && object.kind !== 'ReplicaSet') return object;
  const { spec, ...rest } = object as KubernetesObject & { readonly spec: { readonly replicas: number } };
  return { ...rest, spec: { ...spec, replicas: spec.replicas * count } } as KubernetesObject;
}

const renameAll = <T>(item: T, tokens: ReadonlySet<string>, copy: number): T =>
  JSON.parse(
    [...tokens]
      .toSorted(inReverse(byNumberOf(({ length }) => length)))
      .reduce((text, token) => text.replaceAll(token, renameToken(token, copy)), JSON.stringify(item)),
  ) as T;

/** Another name of the same form and length. */
function renameToken(token: string, copy: number): string {
  if (/^10\.\d+\.\d+\.\d+$/.test(token)) {
    const [, , , last = ''] = token.split('.');
    return `10.${100 + (copy >> 8)}.${copy & 255}.${last}`;
  }
  const name = /^ip-10-\d+-\d+-(\d+)(\..*)$/.exec(token);
  if (name !== null) return `ip-10-${100 + (copy >> 8)}-${copy & 255}-${name[1]}${name[2]}`;
  const digits = copy.toString(16).padStart(5, '0');
  return `${token.slice(0, -digits.length)}${digits}`;
}
