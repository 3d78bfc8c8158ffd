import {
  type ClaimConsumer,
  type Pod,
  pods,
  type ResourceClaim,
  resourceClaims,
  type ResourceClaimTemplate,
  resourceClaimTemplates,
} from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane } from '../control-plane/control-plane.ts';
import { type ControllerPlan, startPlannedController } from '../control-plane/planned-controller.ts';
import { unlessGone } from '../control-plane/refusals.ts';
import { deleteSameObject, patchPodStatus } from '../control-plane/writes.ts';
import { keyOfMeta } from '../objects/object-key.ts';
import { controlledBy } from '../objects/ownership.ts';
import { isEndedPod } from '../objects/pod-health.ts';
import { nameOfDeviceClaim, usesClaimsOfDevices } from './claims-of-pod.ts';

/** Keeps a claim until its devices are no longer in use. */
export const claimFinalizer = 'resource.kubernetes.io/delete-protection';

const podClaimAnnotation = 'resource.kubernetes.io/pod-claim-name';

/**
 * Makes the claims of devices that pods ask for by templates, and frees the devices of claims that no pod uses any more. The
 * watches of these kinds begin with the first pod that has a claim: older clusters do not serve them.
 */
export function runDeviceClaims(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const made = startPlannedController(control, {
    name: 'resource claims of pods',
    observe: async (key) => observeClaimsOfPod(control, key),
    plan: planClaimsOfPod,
    perform: async (action, { pod }) => {
      if (action.kind === 'create') await options.client.create(resourceClaims, action.claim);
      else await patchPodStatus(options.client, pod, { resourceClaimStatuses: action.statuses });
    },
  });
  const freed = startPlannedController(control, {
    name: 'resource claims',
    observe: (key) => observeClaimUsers(control, key),
    plan: planClaimUpkeep,
    perform: (action, { claim }) => performClaimUpkeep(control, claim, action),
  });
  let isWatching = false;
  const claimKeysOfPod = (pod: Pod): readonly string[] =>
    (pod.spec.resourceClaims ?? []).flatMap((each) => {
      const name = nameOfDeviceClaim(pod, each);
      return name === undefined || name === '' ? [] : [`${pod.metadata.namespace}/${name}`];
    });
  const watchClaims = (): void => {
    if (isWatching) return;
    isWatching = true;
    watches.of(resourceClaimTemplates).onChange((_, template) => {
      if (template === undefined) return;
      for (const pod of watches.of(pods).all()) if (usesClaimsOfDevices(pod)) made.add(objectKeyText(pod));
    });
    watches.of(resourceClaims).onChange((before, after) => {
      const claim = (after ?? before) as ResourceClaim;
      freed.add(objectKeyText(claim));
      const owner = claim.metadata.ownerReferences?.find(({ kind }) => kind === 'Pod');
      if (owner !== undefined) made.add(`${claim.metadata.namespace}/${owner.name}`);
    });
  };
  watches.of(pods).onChange((before, after) => {
    const pod = (after ?? before) as Pod;
    if (!usesClaimsOfDevices(pod)) return;
    watchClaims();
    if (after !== undefined) made.add(objectKeyText(after));
    for (const key of claimKeysOfPod(pod)) freed.add(key);
  });
}

type ClaimsOfPodSnapshot = {
  readonly pod: Pod;
  /** The claims that were made for the pod. */
  readonly made: readonly ResourceClaim[];
  readonly templates: readonly ResourceClaimTemplate[];
};

async function observeClaimsOfPod(
  { watches }: ClusterControlPlane,
  key: string,
): Promise<ClaimsOfPodSnapshot | undefined> {
  const [claims, templates] = [watches.of(resourceClaims), watches.of(resourceClaimTemplates)];
  await Promise.all([claims.whenSynced(), templates.whenSynced()]);
  const pod = watches.of(pods).get(key);
  if (pod === undefined || pod.metadata.deletionTimestamp !== undefined || isEndedPod(pod)) return undefined;
  const { namespace, uid } = pod.metadata;
  return {
    pod,
    made: claims.all().filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false),
    templates: templates.all().filter(({ metadata }) => metadata.namespace === namespace),
  };
}

type ClaimsOfPodAction =
  | { readonly kind: 'create'; readonly claim: ResourceClaim }
  | {
      readonly kind: 'report';
      readonly statuses: readonly { readonly name: string; readonly resourceClaimName: string }[];
    };

/** Claims that are missing are made; then the pod is told of all of them. */
export function planClaimsOfPod({ pod, made, templates }: ClaimsOfPodSnapshot): ControllerPlan<ClaimsOfPodAction> {
  const wanted = (pod.spec.resourceClaims ?? []).filter((each) => each.resourceClaimTemplateName !== undefined);
  const found = wanted.map(({ name, resourceClaimTemplateName }) => ({
    name,
    template: templates.find(({ metadata }) => metadata.name === resourceClaimTemplateName),
    claim: made.find(({ metadata }) => metadata.annotations?.[podClaimAnnotation] === name),
  }));
  const missing = found.flatMap(({ name, template, claim }) =>
    claim === undefined && template !== undefined ? [newClaimOfPod(pod, name, template)] : [],
  );
  if (missing.length > 0) return { actions: missing.map((claim) => ({ kind: 'create', claim })) };
  const statuses = found.flatMap(({ name, claim }) =>
    claim === undefined ? [] : [{ name, resourceClaimName: claim.metadata.name }],
  );
  const isTold = JSON.stringify(statuses) === JSON.stringify(pod.status?.resourceClaimStatuses ?? []);
  return { actions: isTold ? [] : [{ kind: 'report', statuses }] };
}

function newClaimOfPod(
  pod: Pod,
  name: string,
  { spec: { metadata = {}, spec } }: ResourceClaimTemplate,
): ResourceClaim {
  const { namespace = '' } = pod.metadata;
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {
      ...metadata,
      name: '',
      generateName: `${pod.metadata.name}-${name}-`,
      namespace,
      annotations: { ...metadata.annotations, [podClaimAnnotation]: name },
      ownerReferences: [controlledBy(pods, pod)],
    },
    spec,
  } as ResourceClaim;
}

type ClaimUsersSnapshot = {
  readonly claim: ResourceClaim;
  /** The UIDs of pods that still use their claims. */
  readonly users: ReadonlySet<string>;
};

function observeClaimUsers({ watches }: ClusterControlPlane, key: string): ClaimUsersSnapshot | undefined {
  const claim = watches.of(resourceClaims).get(key);
  if (claim === undefined) return undefined;
  const living = watches
    .of(pods)
    .all()
    .filter((pod) => usesClaimsOfDevices(pod) && !isEndedPod(pod));
  return { claim, users: new Set(living.map(({ metadata }) => metadata.uid ?? '')) };
}

type ClaimUpkeepAction =
  | { readonly kind: 'reserve'; readonly reservedFor: readonly ClaimConsumer[] }
  | { readonly kind: 'free' }
  | { readonly kind: 'delete' };

/** A claim loses the pods that are gone, its devices with the last one, and itself with the pod that it was made for. */
export function planClaimUpkeep({ claim, users }: ClaimUsersSnapshot): ControllerPlan<ClaimUpkeepAction> {
  const { allocation, reservedFor = [] } = claim.status ?? {};
  const left = reservedFor.filter(({ resource, uid }) => resource !== 'pods' || users.has(uid));
  const owner = claim.metadata.ownerReferences?.find(({ kind }) => kind === 'Pod');
  const isOrphan = owner !== undefined && !users.has(owner.uid);
  const actions: ClaimUpkeepAction[] = [];
  if (left.length < reservedFor.length && left.length > 0) actions.push({ kind: 'reserve', reservedFor: left });
  const isHeld = allocation !== undefined || (claim.metadata.finalizers ?? []).includes(claimFinalizer);
  const wasUsed = reservedFor.length > 0 || isOrphan || claim.metadata.deletionTimestamp !== undefined;
  if (left.length === 0 && isHeld && wasUsed) actions.push({ kind: 'free' });
  if (isOrphan && left.length === 0 && claim.metadata.deletionTimestamp === undefined) actions.push({ kind: 'delete' });
  return { actions };
}

async function performClaimUpkeep(
  { options: { client } }: ClusterControlPlane,
  claim: ResourceClaim,
  action: ClaimUpkeepAction,
): Promise<void> {
  const key = keyOfMeta(claim.metadata);
  if (action.kind === 'delete') return deleteSameObject(client, resourceClaims, claim);
  const status =
    action.kind === 'free'
      ? { allocation: null, reservedFor: null, devices: null }
      : { reservedFor: action.reservedFor };
  await unlessGone(client.patch(resourceClaims, key, { type: 'merge', patch: { status } }, { subresource: 'status' }));
  if (action.kind === 'reserve') return;
  const finalizers = (claim.metadata.finalizers ?? []).filter((name) => name !== claimFinalizer);
  await unlessGone(client.patch(resourceClaims, key, { type: 'merge', patch: { metadata: { finalizers } } }));
}
