import {
  conditionOf,
  type EC2NodeClass,
  type ImageRule,
  type Instant,
  type NodeClaim,
  type NodePool,
  type VcpuRoom,
} from '@nodewright/apis';
import type {
  ControlPlanePort,
  FoundImages,
  FoundPlacementGroup,
  FoundReservation,
  FoundSubnet,
  LookupPace,
  NodeClassPort,
  QuotaPort,
} from '@nodewright/ports';
import { buildNodeClassImageQuery, type ImageGate, type ImageQuery, isBlockingAnything } from '@nodewright/engine';
import { isManagedNodeClass } from '../../state/managed.ts';
import { readGateOfClass } from '../../state/rollout-governance.ts';
import type { Objects } from '../../state/objects.ts';
import { listBoughtKinds, listNarrowRooms } from '../../state/vcpu-room.ts';
import { areClaimsAtRest, isNodeClassAtRest } from '../../state/rest.ts';

/** What a lookup brought: a failed one changes nothing but the time of the next try. */
export type Finding<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'notAsked' };

export type NodeClassSnapshot = {
  /** How old the answers may be. */
  readonly pace: LookupPace;
  readonly nodeClass: EC2NodeClass;
  readonly claims: readonly NodeClaim[];
  /** Rules that block images, or let them skip their bake time. */
  readonly rules?: readonly ImageRule[];
  readonly kubernetesVersion: Finding<string>;
  readonly images: Finding<FoundImages>;
  /** How far a rollout has let the images go; absent where no policy governs the class. */
  readonly gate?: ImageGate;
  /** Images of the gate that EC2 does not have any more. */
  readonly gone?: readonly string[];
  readonly subnets: Finding<readonly FoundSubnet[]>;
  readonly securityGroups: Finding<readonly { readonly id: string; readonly name: string }[]>;
  readonly capacityReservations: Finding<readonly FoundReservation[]>;
  readonly placementGroup: Finding<FoundPlacementGroup | undefined>;
  readonly instanceProfile: Finding<string>;
  /** Limits of the account with little left; asked while nodes of the class may be replaced under a policy. */
  readonly quotas?: Finding<readonly VcpuRoom[]>;
  /** Asked once everything above is stored and found good. */
  readonly validation: Finding<Awaited<ReturnType<NodeClassPort['validate']>>>;
};

type NodeClassSources = {
  readonly objects: Objects;
  readonly nodeClasses: NodeClassPort;
  readonly controlPlane: ControlPlanePort;
  readonly quotas: QuotaPort;
};

export async function observeNodeClass(
  { objects, nodeClasses, controlPlane, quotas }: NodeClassSources,
  { name, now }: { readonly name: string; readonly now: Instant },
  signal: AbortSignal,
): Promise<NodeClassSnapshot | undefined> {
  const nodeClass = objects.nodeClasses.get(name);
  if (nodeClass === undefined) return undefined;
  const heardOf = objects.nodeClaims.by('nodeClass', name).filter(isManagedClaim);
  if (nodeClass.metadata.deletionTimestamp !== undefined) {
    return { nodeClass, claims: heardOf.length > 0 ? heardOf : await readClaims(objects, name), ...nothingAsked };
  }
  const pace = areClaimsAtRest(heardOf, now) && isNodeClassAtRest(nodeClass, now) ? 'atRest' : 'close';
  const version = await finding(controlPlane.kubernetesVersion(signal, pace));
  const rules = objects.imageRules.list();
  const history = isBlockingAnything(rules, now) ? { history: true as const } : {};
  const wanted: Pick<NodeClassSnapshot, 'images' | 'gate' | 'gone'> =
    version.kind === 'found'
      ? await readImagesAndGate(objects, { nodeClass, kubernetesVersion: version.value, now }, (asked) =>
          nodeClasses.images({ ...asked, ...history }, signal, pace),
        )
      : { images: version };
  return {
    pace,
    nodeClass,
    claims: heardOf,
    rules,
    kubernetesVersion: version,
    ...wanted,
    subnets: await finding(nodeClasses.subnets(nodeClass, signal, pace)),
    securityGroups: await finding(nodeClasses.securityGroups(nodeClass, signal, pace)),
    capacityReservations: await finding(nodeClasses.capacityReservations(nodeClass, signal)),
    placementGroup: await finding(nodeClasses.placementGroup(nodeClass, signal)),
    instanceProfile: await finding(nodeClasses.ensureInstanceProfile(nodeClass, signal, pace)),
    ...(isReplacingUnderPolicy(wanted.gate, pace) && {
      quotas: await finding(findNarrowRooms(quotas, objects, signal)),
    }),
    validation: isResolved(nodeClass)
      ? await finding(nodeClasses.validate(nodeClass, poolsOfNodeClass(objects, name), signal, pace))
      : { kind: 'notAsked' },
  };
}

/** The limits of the account are needed only where a policy paces nodes that move. */
const isReplacingUnderPolicy = (gate: ImageGate | undefined, pace: LookupPace): boolean =>
  gate !== undefined && (gate.rollout !== undefined || pace === 'close');

/** Limits that nodes of the cluster count against, and below which not all of them could be replaced at once. */
async function findNarrowRooms(
  quotas: QuotaPort,
  { nodeClaims }: Pick<Objects, 'nodeClaims'>,
  signal: AbortSignal,
): Promise<readonly VcpuRoom[]> {
  const claims = nodeClaims.list().filter(isManagedClaim);
  return listNarrowRooms(await quotas.roomFor(listBoughtKinds(claims), signal), claims);
}

type ImageLookup = (query: ImageQuery) => Promise<FoundImages>;

/** Where a rollout governs the class, the images that it names are looked for, too. */
async function readImagesAndGate(
  objects: Objects,
  {
    nodeClass,
    kubernetesVersion,
    now,
  }: { readonly nodeClass: EC2NodeClass; readonly kubernetesVersion: string; readonly now: Instant },
  lookUp: ImageLookup,
): Promise<Pick<NodeClassSnapshot, 'images' | 'gate' | 'gone'>> {
  const query = buildNodeClassImageQuery(nodeClass, kubernetesVersion);
  const { name } = nodeClass.metadata;
  const images = await finding(lookUp(query));
  const gate = readGateOfClass(objects, name, { kubernetesVersion, gone: [], now });
  if (gate === undefined || images.kind !== 'found') return { images, ...(gate === undefined ? {} : { gate }) };
  const named = [...new Set([...gate.baseline, ...gate.target].map(({ image }) => image))];
  const known = (found: FoundImages): ReadonlySet<string> => new Set(found.images.map(({ id }) => id));
  if (named.every((id) => known(images.value).has(id))) return { images, gate };
  // Older releases tell a withdrawn image from one that the selector does not name any more.
  const history = await finding(lookUp({ ...query, history: true }));
  const all = history.kind === 'found' ? history : images;
  const missing = named.filter((id) => !known(all.value).has(id));
  const byId =
    missing.length === 0 ? undefined : await finding(lookUp({ ...query, terms: missing.map((id) => ({ id })) }));
  const present = byId?.kind === 'found' ? known(byId.value) : new Set(missing);
  const gone = missing.filter((id) => !present.has(id));
  const current = readGateOfClass(objects, name, { kubernetesVersion, gone, now });
  return { images: all, gone, ...(current === undefined ? {} : { gate: current }) };
}

/** What nodes run with is not taken away because the watch of claims lags. */
async function readClaims({ nodeClaims }: Objects, nodeClass: string): Promise<readonly NodeClaim[]> {
  const claims = await nodeClaims.readAll();
  return claims.filter((claim) => isManagedClaim(claim) && claim.spec.nodeClassRef.name === nodeClass);
}

const isManagedClaim = ({ spec }: NodeClaim): boolean => isManagedNodeClass(spec.nodeClassRef);

const notAsked = { kind: 'notAsked' } as const;

const nothingAsked = {
  pace: 'close',
  kubernetesVersion: notAsked,
  images: notAsked,
  subnets: notAsked,
  securityGroups: notAsked,
  capacityReservations: notAsked,
  placementGroup: notAsked,
  instanceProfile: notAsked,
  validation: notAsked,
} as const;

const prerequisites = ['AMIsReady', 'SubnetsReady', 'SecurityGroupsReady', 'InstanceProfileReady'];

/** What a launch needs is known and stored for the present spec. */
export const isResolved = (nodeClass: EC2NodeClass): boolean =>
  prerequisites.every((type) => {
    const condition = conditionOf(nodeClass, type);
    return condition?.status === 'True' && condition.observedGeneration === nodeClass.metadata.generation;
  });

const poolsOfNodeClass = (objects: Objects, nodeClass: string): readonly NodePool[] =>
  objects.nodePools
    .by('nodeClass', nodeClass)
    .filter(({ spec }) => isManagedNodeClass(spec.template.spec.nodeClassRef));

/** Lookups are independent: one that fails must not hide what the others found. */
async function finding<T>(lookup: Promise<T>): Promise<Finding<T>> {
  try {
    return { kind: 'found', value: await lookup };
  } catch (error) {
    return { kind: 'failed', error }; // thrown again once the turn has stored what it knows
  }
}
