import type { NodeClaim } from '@nodewright/apis';
import type { LaunchRequest } from '@nodewright/ports';
import type { ReservationLookup } from '../found/capacity-reservations/capacity-reservations.ts';
import type { AwsContext } from '../context.ts';
import type { ClusterLookup } from '../control-plane/cluster.ts';
import { fabricAdaptersFor } from '../node-settings/fabric-adapters.ts';
import { amiFamilyOfNodeClass } from '../node-settings/kubelet-settings.ts';
import type { KubeletMembers } from '../node-settings/resolved-kubelet.ts';
import type { InstanceTypes } from '../market/types/instance-types.ts';
import type { LaunchTemplateStore } from './templates/launch-templates.ts';
import { placementGroupIdOf, partitionOfOffering } from '../found/placement-groups/partition.ts';
import type { Tags } from '../tags.ts';
import { bootLabels, bootTaints, customUserData, userData } from './user-data/user-data.ts';
import type { LaunchChoice } from './options/launch-options.ts';
import type { LaunchOption } from './options/launch-option.ts';
import { reservationKindOf } from './options/reserved-options.ts';
import { chooseTenancy } from './options/tenancy.ts';

type ClaimTemplateDeps = {
  readonly context: AwsContext;
  readonly cluster: ClusterLookup;
  readonly templates: LaunchTemplateStore;
  readonly types: Pick<InstanceTypes, 'kubeletOf'>;
  readonly reservations: Pick<ReservationLookup, 'isOn'>;
};

type WantedTemplates = {
  readonly request: LaunchRequest;
  readonly choice: LaunchChoice;
  readonly tags: Tags;
  readonly signal: AbortSignal;
};

/**
 * Sees to the templates of a launch, one for each image, number of pods, reservation, number of EFA interfaces
 * and set of kubelet settings.
 * @returns the name of the template that an option is launched with
 * @throws SyntaxError when `spec.userData` is not of the family's form
 */
export async function ensureClaimTemplates(
  deps: ClaimTemplateDeps,
  wanted: WantedTemplates,
): Promise<(option: LaunchOption) => string> {
  const { claim, nodeClass } = wanted.request;
  const typeNames = new Set(wanted.choice.options.map(({ type }) => type.name));
  const kubelets = new Map(
    await Promise.all(
      [...typeNames].map(async (name) => [name, await deps.types.kubeletOf(nodeClass, name, wanted.signal)] as const),
    ),
  );
  const kubeletOf = ({ type }: LaunchOption) => kubelets.get(type.name) ?? {};
  const keyOf = (option: LaunchOption) => templateKeyOf(option, claim, kubeletOf(option));
  const distinct = new Map(wanted.choice.options.map((option) => [keyOf(option), option]));
  const names = new Map(
    await Promise.all(
      [...distinct].map(async ([key, option]): Promise<[string, string]> => [
        key,
        await ensureOptionTemplate({ ...option, kubelet: kubeletOf(option) }, deps, wanted),
      ]),
    ),
  );
  return (option) => names.get(keyOf(option)) ?? '';
}

const templateKeyOf = (
  { image, type, offering }: LaunchOption,
  claim: NodeClaim,
  { kubeReserved, systemReserved }: KubeletMembers,
): string =>
  [
    image.id,
    type.capacity['pods'] ?? 0,
    offering.reservation?.id ?? '',
    placementGroupIdOf(type) ?? '',
    fabricAdaptersFor(claim, type),
    JSON.stringify([kubeReserved, systemReserved]),
  ].join(' ');

async function ensureOptionTemplate(
  option: LaunchOption & { readonly kubelet: KubeletMembers },
  deps: ClaimTemplateDeps,
  wanted: WantedTemplates,
): Promise<string> {
  const { image, type, offering, kubelet } = option;
  const { request, choice, tags, signal } = wanted;
  const { claim, nodeClass } = request;
  const { instanceStorePolicy } = nodeClass.spec;
  const family = amiFamilyOfNodeClass(nodeClass);
  const cluster = await deps.cluster.access(signal);
  const text = userData(family, {
    clusterName: deps.context.clusterName,
    cluster,
    labels: bootLabels(claim, family, choice.capacityType),
    taints: bootTaints(claim),
    maxPods: type.capacity['pods'] ?? 0,
    kubelet,
    ...(instanceStorePolicy === undefined ? {} : { instanceStorePolicy }),
    ...customUserData(nodeClass),
  });
  const { capacityType } = choice;
  const tenancy = chooseTenancy(claim);
  return deps.templates.ensure(
    {
      nodeClass,
      family,
      imageId: image.id,
      userData: text,
      capacityType,
      tenancy,
      placementGroup: placementGroupIdOf(type),
      partition: partitionOfOffering(offering),
      ipFamily: cluster.ipFamily,
      region: deps.context.region,
      fabricAdapters: fabricAdaptersFor(claim, type),
      tags,
      reservations: deps.reservations.isOn
        ? { id: offering.reservation?.id, kind: reservationKindOf(option) }
        : 'notOurs',
    },
    signal,
  );
}
