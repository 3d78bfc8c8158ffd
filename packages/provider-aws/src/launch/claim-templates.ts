import type { LaunchRequest } from '@nodewright/ports';
import type { CapacityReservations } from '../found/capacity-reservations/capacity-reservations.ts';
import type { AwsContext } from '../context.ts';
import type { Cluster } from '../control-plane/cluster.ts';
import { familyOf } from '../node-settings/kubelet-settings.ts';
import type { LaunchTemplates } from './templates/launch-templates.ts';
import { groupIdOf, partitionOf } from '../found/placement-groups/partition.ts';
import type { Tags } from '../tags.ts';
import { bootLabels, bootTaints, customUserData, userData } from './user-data/user-data.ts';
import type { LaunchChoice } from './options/launch-options.ts';
import type { LaunchOption } from './options/launch-option.ts';
import { kindOf } from './options/reserved-options.ts';
import { chooseTenancy } from './options/tenancy.ts';

type Deps = {
  readonly context: AwsContext;
  readonly cluster: Cluster;
  readonly templates: LaunchTemplates;
  readonly reservations: Pick<CapacityReservations, 'isOn'>;
};

type Wanted = {
  readonly request: LaunchRequest;
  readonly choice: LaunchChoice;
  readonly tags: Tags;
  readonly signal: AbortSignal;
};

/**
 * Sees to the templates of a launch, one for each image, number of pods and reservation.
 * @returns the name of the template that an option is launched with
 * @throws SyntaxError when `spec.userData` is not of the family's form
 */
export async function claimTemplates(deps: Deps, wanted: Wanted): Promise<(option: LaunchOption) => string> {
  const distinct = new Map(wanted.choice.options.map((option) => [keyOf(option), option]));
  const names = new Map(
    await Promise.all(
      [...distinct].map(async ([key, option]): Promise<[string, string]> => [
        key,
        await template(option, deps, wanted),
      ]),
    ),
  );
  return (option) => names.get(keyOf(option)) ?? '';
}

const keyOf = ({ image, type, offering }: LaunchOption): string =>
  `${image.id} ${type.capacity['pods'] ?? 0} ${offering.reservation?.id ?? ''} ${groupIdOf(type) ?? ''}`;

async function template(option: LaunchOption, deps: Deps, wanted: Wanted): Promise<string> {
  const { image, type, offering } = option;
  const { request, choice, tags, signal } = wanted;
  const { claim, nodeClass } = request;
  const { instanceStorePolicy, kubelet = {} } = nodeClass.spec;
  const family = familyOf(nodeClass);
  const text = userData(family, {
    clusterName: deps.context.clusterName,
    cluster: await deps.cluster.access(signal),
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
      placementGroup: groupIdOf(type),
      partition: partitionOf(offering),
      tags,
      reservations: deps.reservations.isOn ? { id: offering.reservation?.id, kind: kindOf(option) } : 'notOurs',
    },
    signal,
  );
}
